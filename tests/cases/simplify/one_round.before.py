# test: frame=simplify
# loops
# one round
for j in pl.range(5, 6):
    pl.test.use(j, i + j)
for k in pl.range(0, 4, 4):
    pl.test.use(k)
for l in pl.range(i, i + 1):
    pl.test.use(l)

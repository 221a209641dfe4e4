# test: frame=simplify
# loops
# no round
for j in pl.range(0):
    pl.test.use(j)
for j in pl.range(0, 3, -1):
    pl.test.use(j)
for j in pl.range(i, i):
    pl.test.use(j)
pl.test.use(1)

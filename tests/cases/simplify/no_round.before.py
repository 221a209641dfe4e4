# test: frame=simplify
# loops
# no round
for j in pl.range(0):
    pl.use(j)
for j in pl.range(0, 3, -1):
    pl.use(j)
for j in pl.range(i, i):
    pl.use(j)
pl.use(1)

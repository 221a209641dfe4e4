# test: frame=simplify
# no round leaves nothing
for j in pl.unroll(2, 2):
    pl.test.use(j)
pl.test.use(i)

# test: frame=simplify
# no round leaves nothing
for j in pl.unroll(2, 2):
    pl.use(j)
pl.use(i)

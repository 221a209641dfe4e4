# test: frame=simplify
# downwards and by a step
for j in pl.unroll(5, 0, -2):
    pl.test.use(j)

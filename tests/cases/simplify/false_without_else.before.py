# test: frame=simplify
# branches
# false without else
if i != i:
    pl.test.use(1)
pl.test.use(3)

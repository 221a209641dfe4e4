# test: frame=simplify
# branches
# false without else
if i != i:
    pl.use(1)
pl.use(3)

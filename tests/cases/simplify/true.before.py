# test: frame=simplify
# branches
# true
if 1 < 2:
    pl.test.use(1)
else:
    pl.test.use(2)

# test: frame=simplify
# branches
# true
if 1 < 2:
    pl.use(1)
else:
    pl.use(2)

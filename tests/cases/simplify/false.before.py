# test: frame=simplify
# branches
# false
if False:
    pl.test.use(1)
else:
    pl.test.use(2)

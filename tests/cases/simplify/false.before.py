# test: frame=simplify
# branches
# false
if False:
    pl.use(1)
else:
    pl.use(2)

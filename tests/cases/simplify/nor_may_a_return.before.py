# test: frame=simplify
# branches
# nor may a return
if True:
    return
pl.test.use(1)

# test: frame=simplify
# branches
# nor may a return
if True:
    return
pl.use(1)

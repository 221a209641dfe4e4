# test: frame=simplify
# a loop in a branch
if b:
    for j in pl.unroll(2):
        pl.test.use(j)

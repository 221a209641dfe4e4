# test: frame=simplify
# branches
# what the branch yields takes the place of the result
if False:
    y: pl.Scalar[pl.INT32] = pl.yield_(n)
else:
    pl.test.use(2)
    y: pl.Scalar[pl.INT32] = pl.yield_(n + pl.const(1, pl.INT32))
pl.test.use(y, y)

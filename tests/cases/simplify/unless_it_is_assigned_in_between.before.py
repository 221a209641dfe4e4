# test: frame=simplify
# branches
# unless it is assigned in between
if True:
    y: pl.Scalar[pl.INT32] = pl.yield_(n)
else:
    y: pl.Scalar[pl.INT32] = pl.yield_(n + pl.const(1, pl.INT32))
n = pl.const(5, pl.INT32)
pl.test.use(y, n)

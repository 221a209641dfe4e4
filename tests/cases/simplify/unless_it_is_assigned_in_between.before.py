# test: frame=simplify
# branches
# unless it is assigned in between
if True:
    y: pl.Scalar[pl.INT32] = pl.yield_(n)
else:
    y: pl.Scalar[pl.INT32] = pl.yield_(n + 1)
n = 5
pl.use(y, n)

y: pl.Scalar[pl.INT32] = n
n = pl.const(5, pl.INT32)
pl.test.use(y, n)

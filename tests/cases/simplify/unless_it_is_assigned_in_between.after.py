y: pl.Scalar[pl.INT32] = n
n = 5
pl.use(y, n)

c: pl.Scalar[pl.INT32] = pl.cast(16, pl.INT32)
pl.test.use(c)

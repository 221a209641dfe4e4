c: pl.Scalar[pl.FP32] = 0.5
pl.test.use(c)

d: pl.Scalar[pl.INDEX] = i % 8
pl.test.use(d)

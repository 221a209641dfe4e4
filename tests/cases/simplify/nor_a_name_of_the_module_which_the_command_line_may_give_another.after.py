c: pl.Scalar[pl.INDEX] = SIZE
pl.test.use(c)

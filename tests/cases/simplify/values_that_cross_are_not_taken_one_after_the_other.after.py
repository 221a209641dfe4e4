c: pl.Scalar[pl.INDEX] = i + 1
d: pl.Scalar[pl.INDEX] = i + 2
pl.test.use(d, c)

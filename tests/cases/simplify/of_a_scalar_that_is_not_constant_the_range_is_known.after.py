d: pl.Scalar[pl.INDEX] = i % 8
pl.use(d)

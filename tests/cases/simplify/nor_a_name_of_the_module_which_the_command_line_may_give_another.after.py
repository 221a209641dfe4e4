c: pl.Scalar[pl.INDEX] = SIZE
pl.use(c)

c: pl.Scalar[pl.INDEX] = 1
pl.use(c)
c = 2
pl.use(c)

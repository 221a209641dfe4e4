c: pl.Scalar[pl.INDEX] = 1
pl.test.use(c)
c = 2
pl.test.use(c)

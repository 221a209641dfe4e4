a: pl.Scalar[pl.INDEX] = i + 0
pl.test.use(a)
a = i + 1
pl.test.use(a)
pl.test.use(i)

a: pl.Scalar[pl.INDEX] = i + 0
pl.use(a)
a = i + 1
pl.use(a)
pl.use(i)

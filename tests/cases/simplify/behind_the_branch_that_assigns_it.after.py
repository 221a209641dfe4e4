if b:
    c: pl.Scalar[pl.INDEX] = 4
    pl.test.use(i)
else:
    pl.test.use(0)
pl.test.use(c)

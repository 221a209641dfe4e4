if b:
    c: pl.Scalar[pl.INDEX] = 4
    pl.use(i)
else:
    pl.use(0)
pl.use(c)

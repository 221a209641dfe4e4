for j in pl.range(i):
    c: pl.Scalar[pl.INDEX] = 3
    pl.test.use(c + j, 0, c < 4)

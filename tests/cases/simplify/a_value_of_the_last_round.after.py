for j in pl.range(i):
    y: pl.Scalar[pl.INDEX] = j * 2
    if j == 0:
        z: pl.Scalar[pl.INDEX] = y
    pl.test.use(z)

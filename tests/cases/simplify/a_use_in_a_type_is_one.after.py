c: pl.Scalar[pl.INDEX] = i * 3
t: pl.Tile[[c, 64], pl.FP32] = pl.test.unheard_of(i)
pl.test.use(t)

t: pl.Tile[[1, 64], pl.FP32] = pl.test.unheard_of(i)
s: pl.Tile[[1, 64], pl.FP32] = pl.tile.add(t, t)
pl.test.use(s)

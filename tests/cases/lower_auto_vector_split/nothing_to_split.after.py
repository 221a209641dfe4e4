t: pl.Tile[[8, 16], pl.FP32] = pl.tile.load(x, [0, 0], [8, 16], [8, 16])
o = pl.tile.store(t, [0, 0], o)

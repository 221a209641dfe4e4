s: pl.Tile[[1, 64], pl.FP32] = pl.tile.create([1, 64], dtype=pl.FP32)
pld.tile.put(win, n, x, s, [0, 0], [1, 0], [1, 64], atomic=pl.AtomicType.None_)

t: pl.Tile[[1, 64], pl.FP32] = pl.tile.load(x, [0, 0], [1, 64], [1, 64])
o: pl.Tensor[[4, 64], pl.FP32] = pl.tile.store(t, [0, 0], out)

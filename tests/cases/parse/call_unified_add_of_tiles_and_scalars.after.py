t: pl.Tile[[1, 64], pl.FP32] = pl.tile.load(x, [0, 0], [1, 64], [1, 64])
u: pl.Tile[[1, 64], pl.FP32] = pl.tile.add(t, t)
v: pl.Tile[[1, 64], pl.FP32] = pl.tile.muls(t, 2.0)
w: pl.Tensor[[4, 64], pl.FP32] = pl.tensor.add(x, x)

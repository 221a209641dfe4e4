t: pl.Tensor[[4, 8], pl.FP32] = pl.tensor.create([4, 8], dtype=pl.FP32)
u: pl.Tile[[1, 16], pl.FP32, pl.TileView(valid_shape=[1, 8])] = pl.tile.load(x, [0, 0], [1, 16], [1, 8])
pl.test.use(t, u)

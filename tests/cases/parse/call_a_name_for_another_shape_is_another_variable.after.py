x_1: pl.Tile[[1, 64], pl.FP32] = pl.tile.load(x, [0, 0], [1, 64], [1, 64])
y: pl.Tile[[1, 64], pl.FP32] = x_1

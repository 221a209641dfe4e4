t: pl.Tile[[4, 64], pl.FP32] = pl.tile.load(x, [0, 0], [4, 64], [4, 64])
r: pl.Tile[[4, 1], pl.FP32] = pl.tile.row_max(t)
c: pl.Tile[[4, 64], pl.FP16] = pl.tile.cast(t, target_type=pl.FP16)

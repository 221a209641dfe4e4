t: pl.Tile[[4, 8], pl.FP32, pl.Mem.Vec] = pl.test.mystery()
u: pl.Tile[[4, 8], pl.FP32] = pl.tile.exp(t)

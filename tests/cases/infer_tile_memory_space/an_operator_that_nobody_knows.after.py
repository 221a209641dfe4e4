t: pl.Tile[[16, 16], pl.FP16, pl.Mem.Vec] = pl.tile.mystery(a)

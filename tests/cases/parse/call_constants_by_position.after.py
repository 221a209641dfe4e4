t: pl.Tile[[1, 8], pl.INT32] = pl.tile.full([1, 8], dtype=pl.INT32, value=0)

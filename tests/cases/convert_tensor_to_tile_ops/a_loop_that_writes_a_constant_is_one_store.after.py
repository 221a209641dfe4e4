row__tile: pl.Tile[[1, 16], pl.INT32, pl.Mem.Vec] = pl.tile.full([1, 16], dtype=pl.INT32, value=7)
row__tile_1: pl.Tile[[1, 16], pl.INT32, pl.Mem.Vec] = pl.tile.reshape(row__tile, [1, 16])
pl.tile.store(row__tile_1, [0, 8], row)
return

zero__tile: pl.Tile[[1, 64], pl.INT32, pl.Mem.Vec] = pl.tile.full([1, 64], dtype=pl.INT32, value=0)
pl.tile.write(zero__tile, [0, 3], peer)
filled__tile: pl.Tensor[[1, 64], pl.INT32] = pl.tile.store(zero__tile, [0, 0], row)
return filled__tile

x__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [8, 16], [8, 16], target_memory=pl.Mem.Vec)
c__tile: pl.Tile[[8, 1], pl.FP32, pl.Mem.Vec] = pl.tile.load(c, [0, 0], [8, 1], [8, 1], target_memory=pl.Mem.Vec)
y__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.row_expand_sub(x__tile, c__tile)
z__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.row_expand_mul(y__tile, c__tile)
out: pl.Tensor[[8, 16], pl.FP32] = pl.tile.store(z__tile, [0, 0], out)
return

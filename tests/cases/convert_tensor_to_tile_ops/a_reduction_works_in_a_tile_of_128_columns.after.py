x__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [8, 16], [8, 16], target_memory=pl.Mem.Vec)
tmp_tile: pl.Tile[[8, 128], pl.FP32, pl.Mem.Vec] = pl.tile.create([8, 128], dtype=pl.FP32, target_memory=pl.Mem.Vec)
t__tile: pl.Tile[[8, 1], pl.FP32, pl.Mem.Vec] = pl.tile.row_max(x__tile, tmp_tile)
t__tile_1: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.row_expand_sub(x__tile, t__tile)
out: pl.Tensor[[8, 16], pl.FP32] = pl.tile.store(t__tile_1, [0, 0], out)
return

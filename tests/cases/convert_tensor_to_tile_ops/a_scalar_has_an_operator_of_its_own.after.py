x__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [8, 16], [8, 16], target_memory=pl.Mem.Vec)
t__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.muls(x__tile, 2.0)
y__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.maximums(t__tile, 0.0)
t__tile_1: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.subs(y__tile, 1.0)
out: pl.Tensor[[8, 16], pl.FP32] = pl.tile.store(t__tile_1, [0, 0], out)
return

x__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [8, 16], [8, 16], target_memory=pl.Mem.Vec)
h__tile: pl.Tile[[8, 16], pl.FP16, pl.Mem.Vec] = pl.tile.load(h, [0, 0], [8, 16], [8, 16], target_memory=pl.Mem.Vec)
div_rhs_cast: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.cast(h__tile, target_type=pl.FP32, mode='round')
t__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.div(x__tile, div_rhs_cast)
out: pl.Tensor[[8, 16], pl.FP32] = pl.tile.store(t__tile, [0, 0], out)
return

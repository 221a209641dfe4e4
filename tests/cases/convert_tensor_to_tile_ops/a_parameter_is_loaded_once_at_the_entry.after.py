x__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [8, 16], [8, 16], target_memory=pl.Mem.Vec)
y__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.add(x__tile, x__tile)
z__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.mul(y__tile, x__tile)
out: pl.Tensor[[8, 16], pl.FP32] = pl.tile.store(z__tile, [0, 0], out)
return

x__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [8, 16], [8, 16], target_memory=pl.Mem.Vec)
acc__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.muls(x__tile, 2.0)
for j in pl.range(3):
    acc__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.add(acc__tile, x__tile)
out: pl.Tensor[[8, 16], pl.FP32] = pl.tile.store(acc__tile, [0, 0], out)
return

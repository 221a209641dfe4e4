x__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [8, 16], [8, 16], target_memory=pl.Mem.Vec)
acc0__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.full([8, 16], dtype=pl.FP32, value=0.0)
for j, (acc,) in pl.range(4, init_values=(acc0__tile,)):
    s__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.add(acc, x__tile)
    total: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.yield_(s__tile)
out: pl.Tensor[[8, 16], pl.FP32] = pl.tile.store(total, [0, 0], out)
return

x__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [8, 16], [8, 16], target_memory=pl.Mem.Vec)
if i < 4:
    a__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.adds(x__tile, 1.0)
    y: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.yield_(a__tile)
else:
    b__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.subs(x__tile, 1.0)
    y: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.yield_(b__tile)
out: pl.Tensor[[8, 16], pl.FP32] = pl.tile.store(y, [0, 0], out)
return

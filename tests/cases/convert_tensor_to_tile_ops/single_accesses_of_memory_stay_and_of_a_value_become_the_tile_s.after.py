x__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [8, 16], [8, 16], target_memory=pl.Mem.Vec)
a__tile: pl.Scalar[pl.FP16] = pl.tensor.read(h, [0, 0])
y__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.exp(x__tile)
b__tile: pl.Scalar[pl.FP32] = pl.tile.read(y__tile, [0, 1])
pl.tile.write(y__tile, [0, 0], b__tile)
pl.tensor.write(out, [0, 0], b__tile)
return

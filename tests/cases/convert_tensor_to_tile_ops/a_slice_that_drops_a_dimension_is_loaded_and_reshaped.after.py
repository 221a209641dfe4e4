slice_load: pl.Tile[[1, 8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x3, [1, 0, 0], [1, 8, 16], [1, 8, 16], target_memory=pl.Mem.Vec)
a__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.reshape(slice_load, [8, 16])
slice_load_1: pl.Tile[[1, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [i, 0], [1, 16], [1, 16], target_memory=pl.Mem.Vec)
b__tile: pl.Tile[[16], pl.FP32, pl.Mem.Vec] = pl.tile.reshape(slice_load_1, [16])
out: pl.Tensor[[8, 16], pl.FP32] = pl.tile.store(a__tile, [0, 0], out)
t__tile: pl.Tile[[1, 16], pl.FP32, pl.Mem.Vec] = pl.tile.reshape(b__tile, [1, 16])
out: pl.Tensor[[8, 16], pl.FP32] = pl.tile.store(t__tile, [4, 0], out)
return

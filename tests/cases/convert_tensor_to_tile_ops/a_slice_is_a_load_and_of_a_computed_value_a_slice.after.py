a__tile: pl.Tile[[4, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [4, 16], [4, 16], target_memory=pl.Mem.Vec)
b__tile: pl.Tile[[4, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(w, [i, 0], [4, 16], [4, 16], target_memory=pl.Mem.Vec)
t__tile: pl.Tile[[4, 16], pl.FP32, pl.Mem.Vec] = pl.tile.add(a__tile, b__tile)
d__tile: pl.Tile[[2, 16], pl.FP32, pl.Mem.Vec] = pl.tile.slice(t__tile, [2, 16], [0, 0])
out: pl.Tensor[[8, 16], pl.FP32] = pl.tile.store(d__tile, [i, 0], out)
return

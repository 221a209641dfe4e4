t__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.create([8, 16], dtype=pl.FP32, target_memory=pl.Mem.Vec)
t__tile_1: pl.Tile[[4, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [4, 16], [4, 16], target_memory=pl.Mem.Vec)
u__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.assemble(t__tile, t__tile_1, [0, 0])
t__tile_2: pl.Tile[[4, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(w, [4, 0], [4, 16], [4, 16], target_memory=pl.Mem.Vec)
v__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.assemble(u__tile, t__tile_2, [4, 0])
w: pld.DistributedTensor[[8, 16], pl.FP32] = pl.tile.store(v__tile, [0, 0], w)
return

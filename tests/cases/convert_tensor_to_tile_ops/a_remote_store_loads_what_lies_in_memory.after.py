c__tile: pl.Tile[[8, 1], pl.FP32, pl.Mem.Vec] = pl.tile.load(c, [0, 0], [8, 1], [8, 1], target_memory=pl.Mem.Vec)
out__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(out, [0, 0], [8, 16], [8, 16], target_memory=pl.Mem.Vec)
x_vec: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.load(x, [0, 0], [8, 16], [8, 16], target_memory=pl.Mem.Vec)
pld.tile.remote_store(x_vec, w, peer, [0, 0])
y__tile: pl.Tile[[8, 1], pl.FP32, pl.Mem.Vec] = pl.tile.neg(c__tile)
t__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Vec] = pl.tile.row_expand(out__tile, y__tile)
pld.tile.remote_store(t__tile, w, peer, [0, 0])
return

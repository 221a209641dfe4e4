# test: frame=infer_tile_memory_space
# moves
# a store into a peer's window from the accumulator
l: pl.Tile[[16, 16], pl.FP16, pl.Mem.Left] = pl.tile.create([16, 16], dtype=pl.FP16, target_memory=pl.Mem.Left)
r: pl.Tile[[16, 16], pl.FP16, pl.Mem.Right] = pl.tile.create([16, 16], dtype=pl.FP16, target_memory=pl.Mem.Right)
c: pl.Tile[[16, 16], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(l, r)
pld.tile.remote_store(c, w, 1, [0, 0])

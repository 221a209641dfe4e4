# test: frame=infer_tile_memory_space
# moves
# one tile on both sides, and again in the same block
t: pl.Tile[[16, 16], pl.FP16] = pl.tile.load(a, [0, 0], [16, 16], [16, 16], target_memory=pl.Mem.Mat)
c: pl.Tile[[16, 16], pl.FP32] = pl.tile.matmul(t, t)
d: pl.Tile[[16, 16], pl.FP32] = pl.tile.matmul_acc(c, t, t)

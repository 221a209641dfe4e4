# test: frame=infer_tile_memory_space
# moves
# branches move for themselves
t: pl.Tile[[16, 16], pl.FP16] = pl.tile.load(a, [0, 0], [16, 16], [16, 16], target_memory=pl.Mem.Mat)
r: pl.Tile[[16, 16], pl.FP16] = pl.tile.create([16, 16], dtype=pl.FP16, target_memory=pl.Mem.Right)
if n == 0:
    c: pl.Tile[[16, 16], pl.FP32] = pl.tile.matmul(t, r)
    pl.tile.store(c, [0, 0], out)
else:
    d: pl.Tile[[16, 16], pl.FP32] = pl.tile.matmul(t, r)
    pl.tile.store(d, [0, 0], out)

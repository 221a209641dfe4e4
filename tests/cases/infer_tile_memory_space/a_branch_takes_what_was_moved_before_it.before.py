# test: frame=infer_tile_memory_space
# what is moved before a branch or a loop is there in it; behind a branch that moved it, it is moved again
t: pl.Tile[[16, 16], pl.FP16] = pl.tile.load(a, [0, 0], [16, 16], [16, 16], target_memory=pl.Mem.Mat)
u: pl.Tile[[16, 16], pl.FP16] = pl.tile.load(b, [0, 0], [16, 16], [16, 16], target_memory=pl.Mem.Mat)
r: pl.Tile[[16, 16], pl.FP16] = pl.tile.create([16, 16], dtype=pl.FP16, target_memory=pl.Mem.Right)
c: pl.Tile[[16, 16], pl.FP32] = pl.tile.matmul(t, r)
pl.tile.store(c, [0, 0], out)
if n == 0:
    d: pl.Tile[[16, 16], pl.FP32] = pl.tile.matmul(t, r)
    pl.tile.store(d, [0, 0], out)
    e: pl.Tile[[16, 16], pl.FP32] = pl.tile.matmul(u, r)
    pl.tile.store(e, [0, 0], out)
f: pl.Tile[[16, 16], pl.FP32] = pl.tile.matmul(u, r)
pl.tile.store(f, [0, 0], out)

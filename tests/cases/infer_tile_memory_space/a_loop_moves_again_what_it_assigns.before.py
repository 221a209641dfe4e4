# test: frame=infer_tile_memory_space
# what is moved before a loop is old in it when the loop assigns the variable
t: pl.Tile[[16, 16], pl.FP16] = pl.tile.load(a, [0, 0], [16, 16], [16, 16], target_memory=pl.Mem.Mat)
r: pl.Tile[[16, 16], pl.FP16] = pl.tile.create([16, 16], dtype=pl.FP16, target_memory=pl.Mem.Right)
c: pl.Tile[[16, 16], pl.FP32] = pl.tile.matmul(t, r)
for i in pl.range(2):
    d: pl.Tile[[16, 16], pl.FP32] = pl.tile.matmul(t, r)
    pl.tile.store(d, [0, 0], out)
    t = pl.tile.load(b, [0, 0], [16, 16], [16, 16], target_memory=pl.Mem.Mat)

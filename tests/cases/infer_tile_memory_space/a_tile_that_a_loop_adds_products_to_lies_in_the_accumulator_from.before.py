# test: frame=infer_tile_memory_space
# loops and branches
# a tile that a loop adds products to lies in the accumulator from its creation on
l: pl.Tile[[16, 16], pl.FP16, pl.Mem.Left] = pl.tile.create([16, 16], dtype=pl.FP16, target_memory=pl.Mem.Left)
r: pl.Tile[[16, 16], pl.FP16, pl.Mem.Right] = pl.tile.create([16, 16], dtype=pl.FP16, target_memory=pl.Mem.Right)
z: pl.Tile[[16, 16], pl.FP32] = pl.tile.create([16, 16], dtype=pl.FP32)
for i, (acc,) in pl.range(4, init_values=(z,)):
    s: pl.Tile[[16, 16], pl.FP32] = pl.tile.matmul_acc(acc, l, r)
    c: pl.Tile[[16, 16], pl.FP32] = pl.yield_(s)
pl.tile.store(c, [0, 0], out)

l: pl.Tile[[16, 16], pl.FP16, pl.Mem.Left] = pl.tile.create([16, 16], dtype=pl.FP16, target_memory=pl.Mem.Left)
r: pl.Tile[[16, 16], pl.FP16, pl.Mem.Right] = pl.tile.create([16, 16], dtype=pl.FP16, target_memory=pl.Mem.Right)
z: pl.Tile[[16, 16], pl.FP32, pl.Mem.Acc] = pl.tile.create([16, 16], dtype=pl.FP32, target_memory=pl.Mem.Acc)
for i in pl.range(4):
    z = pl.tile.matmul_acc(z, l, r)
pl.tile.store(z, [0, 0], out)

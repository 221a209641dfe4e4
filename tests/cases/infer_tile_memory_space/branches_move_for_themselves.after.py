t: pl.Tile[[16, 16], pl.FP16, pl.Mem.Mat] = pl.tile.load(a, [0, 0], [16, 16], [16, 16], target_memory=pl.Mem.Mat)
r: pl.Tile[[16, 16], pl.FP16, pl.Mem.Right] = pl.tile.create([16, 16], dtype=pl.FP16, target_memory=pl.Mem.Right)
if n == 0:
    t_Left: pl.Tile[[16, 16], pl.FP16, pl.Mem.Left] = pl.tile.move(t, target_memory=pl.Mem.Left)
    c: pl.Tile[[16, 16], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(t_Left, r)
    pl.tile.store(c, [0, 0], out)
else:
    t_Left_1: pl.Tile[[16, 16], pl.FP16, pl.Mem.Left] = pl.tile.move(t, target_memory=pl.Mem.Left)
    d: pl.Tile[[16, 16], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(t_Left_1, r)
    pl.tile.store(d, [0, 0], out)

a__tile: pl.Tile[[8, 8], pl.FP32, pl.Mem.Mat] = pl.tile.load(x, [0, 0], [8, 8], [8, 8], target_memory=pl.Mem.Mat)
x_mat: pl.Tile[[8, 16], pl.FP32, pl.Mem.Mat] = pl.tile.load(x, [0, 0], [8, 16], [8, 16], target_memory=pl.Mem.Mat)
y__tile: pl.Tile[[8, 16], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(a__tile, x_mat)
x_mat_1: pl.Tile[[8, 16], pl.FP32, pl.Mem.Mat] = pl.tile.load(x, [0, 0], [8, 16], [8, 16], target_memory=pl.Mem.Mat)
x_mat_2: pl.Tile[[8, 16], pl.FP32, pl.Mem.Mat] = pl.tile.load(x, [0, 0], [8, 16], [8, 16], target_memory=pl.Mem.Mat)
x_mat_t: pl.Tile[[16, 8], pl.FP32, pl.Mem.Mat] = pl.tile.transpose_view(x_mat_2)
z__tile: pl.Tile[[8, 8], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(x_mat_1, x_mat_t)
out: pl.Tensor[[8, 16], pl.FP32] = pl.tile.store(y__tile, [0, 0], out)
return

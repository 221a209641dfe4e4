t: pl.Tile[[16, 16], pl.FP16, pl.Mem.Mat] = pl.tile.load(a, [0, 0], [16, 16], [16, 16], target_memory=pl.Mem.Mat)
v: pl.Tile[[16, 16], pl.FP16, pl.Mem.Mat] = pl.tile.transpose_view(t)
s: pl.Tile[[8, 16], pl.FP16, pl.Mem.Mat] = pl.tile.slice(v, [8, 16], [0, 0])
r: pl.Tile[[16, 8], pl.FP16, pl.Mem.Mat] = pl.tile.reshape(s, [16, 8])

# test: frame=kernel
# a tile in the accumulator is stored by FIX
t = pl.load(f, [0, 0], [4, 4])
m: pl.Tile[[4, 4], pl.FP32, pl.Mem.Acc] = pl.tile.matmul(t, t)
pl.store(m, [0, 0], fout)

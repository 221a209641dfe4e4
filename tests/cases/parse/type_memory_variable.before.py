# test: frame=bare_kernel
# memory variable
m: pl.Ptr = pl.tile.alloc(pl.Mem.Vec, 256)
t: pl.Tile[[1, 64], pl.FP32, pl.MemRef(m, i * 64, 256)] = pl.tile.load(x, [0, 0], [1, 64], [1, 64])

# test: frame=bare_kernel
# a computed tile lies in no memory yet
t: pl.Tile[[4, 8], pl.FP32, pl.Mem.Vec] = pl.test.mystery()
u = pl.exp(t)

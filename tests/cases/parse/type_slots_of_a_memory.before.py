# test: frame=bare_kernel
# slots of a memory
t: pl.Tile[[8], pl.FP32, pl.MemRef("p", slots=2)[i % 2], pl.Mem.Vec] = pl.test.mystery()

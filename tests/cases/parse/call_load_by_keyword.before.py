# test: frame=bare_kernel
# load by keyword
t = pl.load(x, shapes=[1, 64], offsets=[i, 0], target_memory=pl.Mem.Vec)

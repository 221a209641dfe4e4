# test: frame=kernel
# n is 3 on rank 0, whose trace this is
# the extent at the load counts
m = n
t = pl.load(x, [0, 0], [1, 16], [1, m])
m = m + pl.const(4, pl.INT32)
pl.store(t, [0, 0], out)

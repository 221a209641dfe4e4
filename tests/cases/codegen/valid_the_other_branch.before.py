# test: frame=kernel
# n is 3 on rank 0, whose trace this is
# the other branch
if n == 4:
    t = pl.load(x, [0, 0], [1, 16], [1, 5])
else:
    t = pl.load(x, [0, 0], [1, 16])
pl.store(t, [0, 0], out)

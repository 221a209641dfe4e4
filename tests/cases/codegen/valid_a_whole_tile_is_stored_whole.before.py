# test: frame=kernel
# n is 3 on rank 0, whose trace this is
# a whole tile is stored whole
t = pl.load(x, [0, 0], [1, 16])
pl.store(t, [0, 0], out)

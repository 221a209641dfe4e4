# test: frame=kernel
# n is 3 on rank 0, whose trace this is
# only the valid part is stored
t = pl.load(x, [0, 0], [2, 16], [1, 5])
pl.store(t, [0, 0], out)

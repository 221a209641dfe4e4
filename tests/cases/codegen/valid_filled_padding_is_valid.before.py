# test: frame=kernel
# n is 3 on rank 0, whose trace this is
# filled padding is valid
t = pl.load(x, [0, 0], [2, 16], [1, 5])
u = pl.fillpad(t)
pl.store(u, [0, 0], out)

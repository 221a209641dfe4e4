# test: frame=kernel
# n is 3 on rank 0, whose trace this is
# the branch that was taken decides
if n == 3:
    t = pl.load(x, [0, 0], [1, 16], [1, 5])
else:
    t = pl.load(x, [0, 0], [1, 16])
pl.store(t, [0, 0], out)

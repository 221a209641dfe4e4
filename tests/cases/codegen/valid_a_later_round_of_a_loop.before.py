# test: frame=kernel
# n is 3 on rank 0, whose trace this is
# a later round of a loop
t = pl.load(x, [0, 0], [1, 16])
for j in pl.range(2):
    pl.store(t, [j, 0], out)
    t = pl.load(x, [0, 0], [1, 16], [1, 4 + j])

# test: frame=kernel
# a name that is given a new tile needs no copy
t = pl.load(x, [0, 0], [1, 16])
pl.store(t, [0, 0], out)
t = pl.load(x, [1, 0], [1, 16])
pl.store(t, [1, 0], out)

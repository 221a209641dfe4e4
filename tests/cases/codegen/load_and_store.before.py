# test: frame=kernel
# load and store
t = pl.load(x, [1, 8], [2, 8])
pl.store(t, [2, 0], out)

# test: frame=kernel
# tile smaller than the region
t = pl.load(x, [0, 0], [1, 16])
pl.tile.store(t, [0, 0], out, [2, 16])

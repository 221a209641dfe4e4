# test: frame=kernel auto_sync=yes rows=1
# what views and parts hold
# extract
t = pl.load(x, [0, 0], [4, 16])
u = pl.tile.extract(t, 1, 2, [1, 4])
pl.store(u, [0, 0], out)

# test: frame=kernel auto_sync=yes rows=1
# what views and parts hold
# extract at a place that the run gives
t = pl.load(x, [0, 0], [4, 16])
u = pl.tile.extract(t, n - 1, 0, [1, 4])
pl.store(u, [0, 0], out)

# test: frame=kernel auto_sync=yes rows=1
# what views and parts hold
# a part at a place that the run gives
t = pl.load(x, [0, 0], [4, 16])
u = pl.tile.slice(t, [1, 4], [n - 2, 2])
pl.store(u, [0, 0], out)

# test: frame=kernel auto_sync=yes rows=1
# what views and parts hold
# consecutive
t = pl.tile.ci(n, [1, 4], dtype=pl.INT32)
pl.store(t, [0, 0], out)

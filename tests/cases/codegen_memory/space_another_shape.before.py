# test: frame=kernel auto_sync=yes rows=1
# what views and parts hold
# another shape
t = pl.load(x, [0, 0], [4, 16])
u = pl.tile.reshape(t, [16, 4])
v = pl.tile.slice(u, [1, 4], [4, 0])
pl.store(v, [0, 0], out)

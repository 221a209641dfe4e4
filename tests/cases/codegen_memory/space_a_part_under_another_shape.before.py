# test: frame=kernel auto_sync=yes rows=1
# what views and parts hold
# a part under another shape
t = pl.load(x, [0, 0], [4, 16])
u = pl.tile.slice(t, [2, 2], [1, 0])
v = pl.tile.reshape(u, [1, 4])
pl.store(v, [0, 0], out)

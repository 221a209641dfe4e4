# test: frame=kernel auto_sync=yes rows=1
# what views and parts hold
# a part of a part
t = pl.load(x, [0, 0], [4, 16])
u = pl.tile.slice(t, [3, 8], [1, 0])
v = pl.tile.slice(u, [1, 4], [1, 0])
pl.store(v, [0, 0], out)

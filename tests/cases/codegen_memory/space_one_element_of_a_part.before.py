# test: frame=kernel auto_sync=yes rows=1
# what views and parts hold
# one element of a part
t = pl.load(x, [0, 0], [4, 16])
u = pl.tile.slice(t, [2, 4], [1, 2])
pl.write(out, [0, 0], pl.tile.read(u, [1, 1]))
pl.write(out, [0, 1], pl.tile.read(u, 5))

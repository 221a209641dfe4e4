# test: frame=kernel auto_sync=yes rows=1
# what views and parts hold
# a part that is stored
t = pl.load(x, [0, 0], [4, 16])
u = pl.tile.slice(t, [2, 4], [0, 2])
pl.store(u, [0, 0], out)

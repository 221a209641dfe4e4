# test: frame=kernel auto_sync=yes rows=1
# what views and parts hold
# a part that is computed with
t = pl.load(x, [0, 0], [4, 16])
u = pl.tile.slice(t, [2, 4], [1, 2])
s = pl.tile.adds(u, 100)
pl.store(s, [0, 0], out)

# test: frame=kernel auto_sync=yes rows=1
# what views and parts hold
# a row repeated
t = pl.load(x, [0, 0], [4, 16])
r = pl.tile.slice(t, [1, 16], [1, 0])
u = pl.tile.col_expand(t, r)
pl.store(u, [0, 0], out)

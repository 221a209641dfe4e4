# test: frame=kernel auto_sync=yes rows=1
# what views and parts hold
# a column added to each column
t = pl.load(x, [0, 0], [4, 16])
c = pl.tile.slice(t, [4, 1], [0, 1])
u = pl.tile.row_expand_add(t, c)
pl.store(u, [0, 0], out)

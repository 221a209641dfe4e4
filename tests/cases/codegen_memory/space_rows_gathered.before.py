# test: frame=kernel auto_sync=yes rows=1
# what views and parts hold
# rows gathered
t = pl.tile.full([2, 4], dtype=pl.INT32, value=9)
u = pl.tile.gather_row(t, x, [0, 2], [1, 0], [2, 2])
pl.store(u, [0, 0], out)

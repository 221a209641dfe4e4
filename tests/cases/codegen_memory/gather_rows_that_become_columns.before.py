# test: frame=kernel auto_sync=yes rows=4
# the first two rows of memory become the first two columns of the tile
t = pl.tile.full([4, 8], dtype=pl.INT32, value=9)
u = pl.tile.gather_row(t, x, [0, 0], [0, 0], [2, 4], transpose=True)
pl.store(u, [0, 0], out)

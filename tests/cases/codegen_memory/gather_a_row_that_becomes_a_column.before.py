# test: frame=kernel auto_sync=yes rows=4
# n is 3: the first row of memory becomes column 2 of the tile
t = pl.tile.full([4, 8], dtype=pl.INT32, value=9)
u = pl.tile.gather_row(t, x, [0, n - 1], [0, 0], [1, 4], transpose=True)
pl.store(u, [0, 0], out)

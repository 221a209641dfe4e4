# test: frame=kernel auto_sync=yes rows=4
# n is 3: row 1 of memory becomes row 2 of the tile
t = pl.tile.full([4, 8], dtype=pl.INT32, value=9)
u = pl.tile.gather_row(t, x, [n - 1, 0], [n - 2, 0], [1, 8])
pl.store(u, [0, 0], out)

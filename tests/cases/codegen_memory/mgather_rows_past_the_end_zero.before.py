# test: frame=kernel auto_sync=yes rows=4
# the indices 2, 3, 4, 5 of 4 rows: the last two rows, then zeros
i = pl.tile.ci(2, [1, 4], dtype=pl.INT32)
g = pl.tile.mgather(x, i, coalesce="row", gather_oob="zero")
pl.store(g, [0, 0], out)

# test: frame=kernel auto_sync=yes rows=4
# the indices 3, 2, 1, 0: the rows of memory from the last to the first
i = pl.tile.ci(3, [1, 4], dtype=pl.INT32, descending=True)
g = pl.tile.mgather(x, i, coalesce="row")
pl.store(g, [0, 0], out)

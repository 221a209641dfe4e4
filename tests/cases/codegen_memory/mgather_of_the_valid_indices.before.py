# test: frame=kernel auto_sync=yes rows=4
# two of the indices 3, 2, 1, 0 count: the last two rows are not stored
i = pl.tile.set_validshape(pl.tile.ci(3, [1, 4], dtype=pl.INT32, descending=True), 1, 2)
g = pl.tile.mgather(x, i, coalesce="row")
pl.store(pl.load(win, [0, 0], [4, 16]), [0, 0], out)
pl.store(g, [0, 0], out)

# test: frame=kernel auto_sync=yes rows=1
# the indices 0, 5, 10, 15
i = pl.tile.muls(pl.tile.ci(0, [1, 8], dtype=pl.INT32), 5)
g = pl.tile.mgather(x, i, coalesce="elem")
pl.store(g, [0, 0], out)

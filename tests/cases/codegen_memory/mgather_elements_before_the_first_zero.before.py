# test: frame=kernel auto_sync=yes rows=1
# the indices -1, 0, 1, 2 without a sign: a zero, then the first three
i = pl.tile.ci(-1, [1, 8], dtype=pl.INT32)
g = pl.tile.mgather(x, i, coalesce="elem", gather_oob="zero")
pl.store(g, [0, 0], out)

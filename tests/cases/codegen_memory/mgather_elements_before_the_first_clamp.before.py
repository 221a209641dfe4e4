# test: frame=kernel auto_sync=yes rows=1
# the indices -1, 0, 1, 2 without a sign: element 63, the last one, then the first three
i = pl.tile.ci(-1, [1, 8], dtype=pl.INT32)
g = pl.tile.mgather(x, i, coalesce="elem", gather_oob="clamp")
pl.store(g, [0, 0], out)

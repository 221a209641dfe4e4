# test: frame=kernel
i = pl.tile.ci(0, [1, 4], dtype=pl.INT32)
g = pl.tile.mgather(x, i, coalesce="elem")

# test: frame=kernel
i = pl.tile.reshape(pl.tile.ci(3, [1, 4], dtype=pl.INT32), [4, 1])
g = pl.tile.mgather(x, i, coalesce="row")

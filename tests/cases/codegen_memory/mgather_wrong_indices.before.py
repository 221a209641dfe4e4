# test: frame=kernel
i = pl.load(f, [0, 0], [1, 8])
g = pl.tile.mgather(x, i, coalesce="elem")

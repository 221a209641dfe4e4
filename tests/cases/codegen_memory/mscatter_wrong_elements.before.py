# test: frame=kernel
i = pl.tile.ci(0, [1, 8], dtype=pl.INT32)
pl.tile.mscatter(pl.load(f, [0, 0], [1, 8]), i, out)

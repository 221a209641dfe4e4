# test: frame=kernel auto_sync=yes rows=1
# the first eight elements in reverse: 7, 6, 5, 4 in front
t = pl.load(x, [0, 0], [1, 8])
i = pl.tile.ci(7, [1, 8], dtype=pl.INT32, descending=True)
pl.tile.mscatter(t, i, out)

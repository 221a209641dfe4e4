# test: frame=kernel passes=all rows=4
# Sines and cosines of 1, 6, 4 and 2, and of -100 times as much, in thousandths.
t = pl.load(f, [0, 0], [1, 16])
far = pl.mul(t, -100.0)
a = pl.tile.sin(t)
b = pl.tile.cos(t)
c = pl.tile.sin(far)
d = pl.tile.cos(far)
out = pl.store(pl.tile.cast(pl.mul(a, 1000.0), target_type=pl.INT32), [0, 0], out)
out = pl.store(pl.tile.cast(pl.mul(b, 1000.0), target_type=pl.INT32), [1, 0], out)
out = pl.store(pl.tile.cast(pl.mul(c, 1000.0), target_type=pl.INT32), [2, 0], out)
out = pl.store(pl.tile.cast(pl.mul(d, 1000.0), target_type=pl.INT32), [3, 0], out)

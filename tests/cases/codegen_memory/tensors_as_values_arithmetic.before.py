# test: frame=kernel passes=all rows=4
# (3 + 4) * 2 everywhere.
a = pl.tensor.full([4, 16], dtype=pl.INT32, value=3)
b = pl.add(a, pl.tensor.full([4, 16], dtype=pl.INT32, value=4))
out[:, :] = pl.mul(b, 2)

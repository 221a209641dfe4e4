# test: frame=kernel passes=all rows=2
# Row 1 element by element, which becomes one store.
out[:, :] = pl.tensor.full([4, 16], dtype=pl.INT32, value=1)
for i in pl.range(16):
    pl.tensor.write(out, [1, i], 9)

# test: frame=kernel passes=all rows=4
# Rows 1 and 2 become 5, and row 2 then 6: a dropped dimension is stored as one row.
out[:, :] = pl.tensor.full([4, 16], dtype=pl.INT32, value=1)
out[1:3, :] = pl.tensor.full([2, 16], dtype=pl.INT32, value=5)
row = out[2, :]
out[2, :] = pl.add(row, 1)

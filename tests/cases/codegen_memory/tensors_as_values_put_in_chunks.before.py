# test: frame=kernel passes=all memory=win@1 rows=4
# Two tiles of 1 x 8 take turns; all that the peer stored arrives.
out[:, :] = pl.tensor.full([4, 16], dtype=pl.INT32, value=7)
pld.tensor.put(win, 4 - n, out, chunk_rows=1, chunk_cols=8, pipeline=True)

# test: frame=kernel
# arithmetic
t = pl.tile.full([1, 16], dtype=pl.INT32, value=9)
u = pl.tile.muls(t, 3)
w = pl.tile.sub(u, t)
m = pl.tile.row_sum(w, t)

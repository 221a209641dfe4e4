t__tmp_v0: pl.Scalar[pl.INT32] = pl.tensor.read(x, [2])
t__tmp_v1: pl.Scalar[pl.INT32] = pl.tensor.read(x, [1])
return t__tmp_v0, n, pl.cast(t__tmp_v1, pl.INDEX) + 1

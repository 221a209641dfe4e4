t__tmp_v0: pl.Scalar[pl.INT32] = pl.tensor.read(x, [7])
t__tmp_v1: pl.Scalar[pl.INT32] = pl.tensor.read(x, [8])
t__tmp_v2: pl.Scalar[pl.INT32] = pl.tensor.read(x, [6])
v: pl.Scalar[pl.INT32] = t__tmp_v2 + pl.min(t__tmp_v0, t__tmp_v1)

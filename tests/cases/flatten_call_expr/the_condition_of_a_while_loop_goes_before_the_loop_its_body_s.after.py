t__tmp_v0: pl.Scalar[pl.INT32] = pl.tensor.read(x, [0])
while t__tmp_v0 < n:
    t__tmp_v1: pl.Scalar[pl.INT32] = pl.tensor.read(x, [2])
    pl.tensor.write(x, [1], t__tmp_v1)

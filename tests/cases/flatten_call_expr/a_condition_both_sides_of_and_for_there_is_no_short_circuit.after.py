t__tmp_v0: pl.Scalar[pl.INT32] = pl.tensor.read(x, [0])
t__tmp_v1: pl.Scalar[pl.INT32] = pl.tensor.read(x, [1])
if pl.cast(t__tmp_v0, pl.INDEX) > 0 and pl.cast(t__tmp_v1, pl.INDEX) > 0:
    pl.tensor.write(x, [0], n)

t__tmp_v0: pl.Scalar[pl.INT32] = pl.tensor.read(x, [3])
v: pl.Scalar[pl.INDEX] = pl.cast(-t__tmp_v0, pl.INDEX)

t__tmp_v0: pl.Scalar[pl.INT32] = pl.tensor.read(x, [1])
t__tmp_v1: pl.Scalar[pl.INT32] = pl.tensor.read(x, [0])
for i in pl.range(t__tmp_v1, pl.cast(t__tmp_v0, pl.INDEX)):
    pl.tensor.write(x, [i], n)

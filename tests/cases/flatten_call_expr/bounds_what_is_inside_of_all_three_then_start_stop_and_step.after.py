t__tmp_v0: pl.Scalar[pl.INT32] = pl.tensor.read(x, [0])
t__tmp_v1: pl.Scalar[pl.INT32] = pl.tensor.read(x, [1])
t__tmp_v2: pl.Scalar[pl.INT32] = pl.tensor.read(x, [2])
for i in pl.range(pl.cast(t__tmp_v0, pl.INDEX), t__tmp_v1, t__tmp_v2):
    pl.tensor.write(x, [i], n)

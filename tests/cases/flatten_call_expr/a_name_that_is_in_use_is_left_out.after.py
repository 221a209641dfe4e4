t__tmp_v0: pl.Scalar[pl.INT32] = pl.cast(n, pl.INDEX) + 1
t__tmp_v1: pl.Scalar[pl.INT32] = pl.tensor.read(x, [1])
pl.tensor.write(x, [0], t__tmp_v1)
for t__tmp_v2 in pl.range(2):
    t__tmp_v3: pl.Scalar[pl.INT32] = pl.tensor.read(x, [2])
    pl.tensor.write(x, [t__tmp_v2], -t__tmp_v3)

t__tmp_v0: pl.Scalar[pl.INT32] = pl.tensor.read(x, [0])
for i, (a,) in pl.range(t__tmp_v0, init_values=(pl.tensor.read(x, [1]),)):
    t__tmp_v1: pl.Scalar[pl.INT32] = pl.tensor.read(x, [i])
    b: pl.Scalar[pl.INT32] = pl.yield_(a + t__tmp_v1)
t__tmp_v2: pl.Scalar[pl.INT32] = pl.tensor.read(x, [2])
pl.tensor.write(x, [0], t__tmp_v2)

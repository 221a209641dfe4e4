pl.tensor.write(x, [pl.tensor.read(x, [1])], n)
t__tmp_v0: pl.Scalar[pl.INT32] = pl.tensor.read(x, [2])
pl.tensor.write(x, [pl.cast(t__tmp_v0, pl.INDEX) + 1], n)

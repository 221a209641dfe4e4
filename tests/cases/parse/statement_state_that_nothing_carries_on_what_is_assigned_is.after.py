for j, (a,) in pl.range(i, init_values=(n,)):
    a_1: pl.Scalar[pl.INDEX] = pl.cast(a, pl.INDEX) + 1
    y: pl.Scalar[pl.INDEX] = a_1
z: pl.Scalar[pl.INT32] = n

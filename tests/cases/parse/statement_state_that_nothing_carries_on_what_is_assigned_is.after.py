for j, (a,) in pl.range(i, init_values=(n,)):
    a_1: pl.Scalar[pl.INT32] = a + 1
    y: pl.Scalar[pl.INT32] = a_1
z: pl.Scalar[pl.INT32] = n

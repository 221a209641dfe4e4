for j, (a,) in pl.range(2, init_values=(n,)):
    a_1: pl.Scalar[pl.INT32] = pl.yield_(a)
y: pl.Scalar[pl.INT32] = a_1

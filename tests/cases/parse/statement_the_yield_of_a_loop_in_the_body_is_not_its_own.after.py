for j, (a,) in pl.range(i, init_values=(n,)):
    for m, (c,) in pl.range(i, init_values=(a,)):
        r: pl.Scalar[pl.INT32] = pl.yield_(c)
    a_1: pl.Scalar[pl.INT32] = r

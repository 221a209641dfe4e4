for (a,) in pl.while_(init_values=(n,)):
    pl.cond(a < 2)
    r: pl.Scalar[pl.INT32] = pl.yield_(a + 1)
return r

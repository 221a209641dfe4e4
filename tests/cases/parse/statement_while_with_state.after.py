for (a,) in pl.while_(init_values=(n,)):
    pl.cond(pl.cast(a, pl.INDEX) < 2)
    r: pl.Scalar[pl.INT32] = pl.yield_(pl.cast(a, pl.INDEX) + 1)
return r

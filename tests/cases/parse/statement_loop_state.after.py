for j, (a,) in pl.range(i, init_values=(n,)):
    r: pl.Scalar[pl.INT32] = pl.yield_(pl.cast(a, pl.INDEX) + 1)
return r

for j, (a,) in pl.range(2, init_values=(n,)):
    with pl.scope():
        with pl.scope():
            r: pl.Scalar[pl.INT32] = pl.yield_(a)

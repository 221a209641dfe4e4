for (k,) in pl.while_(init_values=(n,)):
    pl.cond(pl.cast(k, pl.INDEX) > 0)
    pld.system.wait(sig, [k, 0], pl.const(1, pl.INT32), cmp=1)
    pl.system.cacheinvalid()
    k2: pl.Scalar[pl.INT32] = pl.yield_(pl.cast(k, pl.INDEX) - 1)

for j__idx_v0, (z__iter_v0,) in pl.range(4, init_values=(z__FREE_VAR,)):
    for k__idx_v0, (z__iter_v2,) in pl.range(4, init_values=(z__iter_v0,)):
        z__ssa_v4: pl.Scalar[pl.INDEX] = j__idx_v0 + k__idx_v0
        z__rv_v3: pl.Scalar[pl.INDEX] = pl.yield_(z__ssa_v4)
    z__rv_v1: pl.Scalar[pl.INDEX] = pl.yield_(z__rv_v3)
pl.test.use(z__rv_v1)

a__ssa_v0: pl.Scalar[pl.INDEX] = i__ssa_v0
for j__idx_v0 in pl.range(4):
    for k__idx_v0, (q,) in pl.range(4, init_values=(a__ssa_v0,)):
        a: pl.Scalar[pl.INDEX] = pl.yield_(q + k__idx_v0)
    pl.test.use(a)

a__ssa_v0: pl.Scalar[pl.INDEX] = i__ssa_v0
for j__idx_v0, (a__iter_v1,) in pl.range(4, init_values=(a__ssa_v0,)):
    for k__idx_v0, (a__iter_v3,) in pl.range(j__idx_v0, init_values=(a__iter_v1,)):
        a__ssa_v5: pl.Scalar[pl.INDEX] = a__iter_v3 + k__idx_v0
        a__rv_v4: pl.Scalar[pl.INDEX] = pl.yield_(a__ssa_v5)
    a__rv_v2: pl.Scalar[pl.INDEX] = pl.yield_(a__rv_v4)
pl.test.use(a__rv_v2)

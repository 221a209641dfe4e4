a__ssa_v0: pl.Scalar[pl.INDEX] = i__ssa_v0
c__ssa_v0: pl.Scalar[pl.INDEX] = i__ssa_v0
for j__idx_v0, (a__iter_v1,) in pl.range(4, init_values=(a__ssa_v0,)):
    t__ssa_v0: pl.Scalar[pl.INDEX] = a__iter_v1 + j__idx_v0
    a__ssa_v3: pl.Scalar[pl.INDEX] = t__ssa_v0 + c__ssa_v0
    a__rv_v2: pl.Scalar[pl.INDEX] = pl.yield_(a__ssa_v3)
pl.test.use(a__rv_v2)

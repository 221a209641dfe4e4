k__ssa_v0: pl.Scalar[pl.INDEX] = i__ssa_v0
for (k__iter_v1,) in pl.while_(init_values=(k__ssa_v0,)):
    pl.cond(k__iter_v1 < 4)
    k__ssa_v3: pl.Scalar[pl.INDEX] = k__iter_v1 + 1
    k__rv_v2: pl.Scalar[pl.INDEX] = pl.yield_(k__ssa_v3)
pl.test.use(k__rv_v2)

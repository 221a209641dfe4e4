a__ssa_v0: pl.Scalar[pl.INDEX] = i__ssa_v0
for j__idx_v0, (q, a__iter_v1) in pl.range(4, init_values=(a__ssa_v0, a__ssa_v0)):
    a__ssa_v3: pl.Scalar[pl.INDEX] = a__iter_v1 + 1
    q2__ssa_v0: pl.Scalar[pl.INDEX] = q + a__ssa_v3
    r, a__rv_v2 = pl.yield_(q2__ssa_v0, a__ssa_v3)
pl.test.use(a__rv_v2, r)

a__ssa_v0: pl.Scalar[pl.INDEX] = i__ssa_v0
if b__ssa_v0:
    a__ssa_v1: pl.Scalar[pl.INDEX] = i__ssa_v0 + 1
    a__phi_v2, r__rv_v0 = pl.yield_(a__ssa_v1, a__ssa_v1)
else:
    a__phi_v2, r__rv_v0 = pl.yield_(a__ssa_v0, i__ssa_v0)
pl.test.use(a__phi_v2, r__rv_v0)

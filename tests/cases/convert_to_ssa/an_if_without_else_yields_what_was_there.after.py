a__ssa_v0: pl.Scalar[pl.INDEX] = i__ssa_v0 + 1
if b__ssa_v0:
    a__ssa_v1: pl.Scalar[pl.INDEX] = a__ssa_v0 * 2
    a__phi_v2: pl.Scalar[pl.INDEX] = pl.yield_(a__ssa_v1)
else:
    a__phi_v2: pl.Scalar[pl.INDEX] = pl.yield_(a__ssa_v0)
pl.test.use(a__phi_v2)

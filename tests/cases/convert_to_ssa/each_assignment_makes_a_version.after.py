a__ssa_v0: pl.Scalar[pl.INDEX] = i__ssa_v0 + 1
a__ssa_v1: pl.Scalar[pl.INDEX] = a__ssa_v0 * 2
pl.test.use(a__ssa_v1, i__ssa_v0)

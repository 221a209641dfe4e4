t__ssa_v0: pl.Scalar[pl.INDEX] = i__ssa_v0 + 1
t__l0_ssa_v0: pl.Scalar[pl.INDEX] = t__ssa_v0 + 1
k__ssa_v0: pl.Scalar[pl.INDEX] = t__l0_ssa_v0
k__ssa_v1: pl.Scalar[pl.INDEX] = k__ssa_v0 + 1
pl.test.use(k__ssa_v1)

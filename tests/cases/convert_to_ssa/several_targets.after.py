a__ssa_v0, c__ssa_v0 = (1, i__ssa_v0)
a__ssa_v1, c__ssa_v1 = (c__ssa_v0, a__ssa_v0)
pl.test.use(a__ssa_v1, c__ssa_v1)

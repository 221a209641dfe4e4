if b__ssa_v0:
    z__ssa_v0: pl.Scalar[pl.INDEX] = i__ssa_v0 + 1
    pl.test.use(z__ssa_v0)
pl.test.use(i__ssa_v0)

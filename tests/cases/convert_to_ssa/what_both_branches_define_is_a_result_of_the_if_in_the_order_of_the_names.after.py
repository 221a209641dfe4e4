if b__ssa_v0:
    z__ssa_v0: pl.Scalar[pl.INDEX] = i__ssa_v0 + 1
    y__ssa_v0: pl.Scalar[pl.INDEX] = i__ssa_v0
    y__phi_v2, z__phi_v2 = pl.yield_(y__ssa_v0, z__ssa_v0)
else:
    y__ssa_v1: pl.Scalar[pl.INDEX] = i__ssa_v0 + 2
    z__ssa_v1: pl.Scalar[pl.INDEX] = i__ssa_v0
    y__phi_v2, z__phi_v2 = pl.yield_(y__ssa_v1, z__ssa_v1)
pl.test.use(y__phi_v2, z__phi_v2)

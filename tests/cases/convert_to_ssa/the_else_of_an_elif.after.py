a__ssa_v0: pl.Scalar[pl.INDEX] = i__ssa_v0
if b__ssa_v0:
    a__ssa_v1: pl.Scalar[pl.INDEX] = i__ssa_v0 + 1
    a__phi_v4: pl.Scalar[pl.INDEX] = pl.yield_(a__ssa_v1)
else:
    if i__ssa_v0 > 3:
        a__ssa_v2: pl.Scalar[pl.INDEX] = i__ssa_v0 + 2
        a__phi_v3: pl.Scalar[pl.INDEX] = pl.yield_(a__ssa_v2)
    else:
        a__phi_v3: pl.Scalar[pl.INDEX] = pl.yield_(a__ssa_v0)
    a__phi_v4: pl.Scalar[pl.INDEX] = pl.yield_(a__phi_v3)
pl.test.use(a__phi_v4)

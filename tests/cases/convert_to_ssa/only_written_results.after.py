if b__ssa_v0:
    r__rv_v0: pl.Scalar[pl.INDEX] = pl.yield_(i__ssa_v0 + 1)
else:
    r__rv_v0: pl.Scalar[pl.INDEX] = pl.yield_(i__ssa_v0)
pl.test.use(r__rv_v0)

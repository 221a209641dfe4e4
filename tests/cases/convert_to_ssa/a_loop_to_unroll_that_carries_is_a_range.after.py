m__ssa_v0: pl.Scalar[pl.INDEX] = i__ssa_v0
for j__idx_v0, (m__iter_v1,) in pl.range(i__ssa_v0, init_values=(m__ssa_v0,)):
    m__ssa_v3: pl.Scalar[pl.INDEX] = m__iter_v1 + 1
    m__rv_v2: pl.Scalar[pl.INDEX] = pl.yield_(m__ssa_v3)
pl.test.use(m__rv_v2)

y__ssa_v0: pl.Scalar[pl.INDEX] = i__ssa_v0
x2__ssa_v0: pl.Scalar[pl.INDEX] = i__ssa_v0
for j__idx_v0, (x2__iter_v1, y__iter_v1) in pl.range(4, init_values=(x2__ssa_v0, y__ssa_v0)):
    y__ssa_v3: pl.Scalar[pl.INDEX] = y__iter_v1 + 1
    x2__ssa_v3: pl.Scalar[pl.INDEX] = x2__iter_v1 + y__ssa_v3
    x2__rv_v2, y__rv_v2 = pl.yield_(x2__ssa_v3, y__ssa_v3)
pl.test.use(x2__rv_v2, y__rv_v2)

for j__idx_v0, (q,) in pl.range(4, init_values=(i__ssa_v0,)):
    pl.test.use(q)

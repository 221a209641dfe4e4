for k, (q,) in pl.range(4, init_values=(i,)):
    r: pl.Scalar[pl.INDEX] = pl.yield_(q + 0)
pl.test.use(r)
for k, (q,) in pl.range(4, init_values=(i,)):
    r_1: pl.Scalar[pl.INDEX] = pl.yield_(q + 1)
pl.test.use(r_1)
pl.test.use(r_1)

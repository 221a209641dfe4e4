c: pl.Scalar[pl.INDEX] = 0
for (a,) in pl.while_(init_values=(c,)):
    pl.cond(a < i)
    y: pl.Scalar[pl.INDEX] = pl.yield_(a + 1)
pl.test.use(0, y)

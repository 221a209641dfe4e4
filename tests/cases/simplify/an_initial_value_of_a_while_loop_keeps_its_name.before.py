# test: frame=simplify
# scalars that are assigned once, to a constant
# an initial value of a while loop keeps its name
c: pl.Scalar[pl.INDEX] = 0
for (a,) in pl.while_(init_values=(c,)):
    pl.cond(a < i)
    y: pl.Scalar[pl.INDEX] = pl.yield_(a + 1)
pl.test.use(c, y)

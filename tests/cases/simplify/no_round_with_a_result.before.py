# test: frame=simplify
# loops
# no round, with a result
for j, (a,) in pl.range(3, 3, init_values=(n,)):
    y: pl.Scalar[pl.INT32] = pl.yield_(a + 1)
pl.test.use(y)

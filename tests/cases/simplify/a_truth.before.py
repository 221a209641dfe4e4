# test: frame=simplify
# scalars that are assigned once, to a constant
# a truth
c: pl.Scalar[pl.BOOL] = 1 < 2
pl.test.use(c and b)

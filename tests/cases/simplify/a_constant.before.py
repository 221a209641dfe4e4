# test: frame=simplify
# scalars that are assigned once, to a constant
# a constant
c: pl.Scalar[pl.INT32] = 2 + 2
pl.test.use(c, n + c)

# test: frame=simplify
# scalars that are assigned once, to a constant
# assigned twice
c: pl.Scalar[pl.INDEX] = 1
pl.test.use(c)
c = 2
pl.test.use(c)

# test: frame=simplify
# scalars that are assigned once, to a constant
# of a constant
c: pl.Scalar[pl.INDEX] = 3
d: pl.Scalar[pl.INDEX] = c * 2
pl.test.use(d)

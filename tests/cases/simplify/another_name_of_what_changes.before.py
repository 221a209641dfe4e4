# test: frame=simplify
# scalars that are assigned once, to a constant
# another name of what changes
c: pl.Scalar[pl.INDEX] = i + 1
d: pl.Scalar[pl.INDEX] = c
c = i * 5
pl.test.use(d, c)

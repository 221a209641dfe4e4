# test: frame=simplify
# scalars that are assigned once, to a constant
# a cast of a constant is none
c: pl.Scalar[pl.INT32] = pl.cast(16, pl.INT32)
pl.test.use(c)

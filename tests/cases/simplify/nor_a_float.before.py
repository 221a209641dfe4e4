# test: frame=simplify
# scalars that are assigned once, to a constant
# nor a float
c: pl.Scalar[pl.FP32] = 0.5
pl.test.use(c)

# test: frame=simplify
# scalars that are assigned once, to a constant
# nor a name of the module, which the command line may give another value
c: pl.Scalar[pl.INDEX] = SIZE
pl.test.use(c)

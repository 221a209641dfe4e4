# test: frame=simplify
# scalars that are assigned once, to a constant
# the start of a loop keeps its type
c: pl.Scalar[pl.INT32] = 3
for j in pl.range(c, i):
    pl.test.use(j)

# test: frame=simplify
# scalars that are assigned once, to a constant
# in a block below
c: pl.Scalar[pl.INDEX] = 3
for j in pl.range(i):
    if b:
        pl.test.use(c, j)

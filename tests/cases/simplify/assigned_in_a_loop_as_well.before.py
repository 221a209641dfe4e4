# test: frame=simplify
# scalars that are assigned once, to a constant
# assigned in a loop as well
c: pl.Scalar[pl.INDEX] = 0
for j in pl.range(i):
    c = c + j
pl.test.use(c)

# test: frame=simplify
# scalars that are assigned once, to a constant
# behind the branch that assigns it
if b:
    c: pl.Scalar[pl.INDEX] = 4
    pl.test.use(i)
else:
    pl.test.use(0)
pl.test.use(c)

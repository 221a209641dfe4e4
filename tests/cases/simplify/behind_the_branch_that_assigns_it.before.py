# test: frame=simplify
# scalars that are assigned once, to a constant
# behind the branch that assigns it
if b:
    c: pl.Scalar[pl.INDEX] = 4
    pl.use(i)
else:
    pl.use(0)
pl.use(c)

# test: frame=simplify
# branches
# values that cross are not taken one after the other
c: pl.Scalar[pl.INDEX] = i + 1
d: pl.Scalar[pl.INDEX] = i + 2
if True:
    c, d = pl.yield_(d, c)
else:
    c, d = pl.yield_(c, d)
pl.test.use(c, d)

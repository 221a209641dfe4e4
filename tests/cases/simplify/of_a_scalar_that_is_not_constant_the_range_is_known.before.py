# test: frame=simplify
# ranges
# of a scalar that is not constant the range is known
d: pl.Scalar[pl.INDEX] = i % 8
if d < 8:
    pl.test.use(d)

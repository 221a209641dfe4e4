# test: frame=simplify
# branches
# a result that a scope yields
if True:
    with pl.manual_scope():
        y: pl.Scalar[pl.INT32] = pl.yield_(n)
else:
    y: pl.Scalar[pl.INT32] = pl.yield_(n + pl.const(1, pl.INT32))
pl.test.use(y)

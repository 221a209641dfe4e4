if True:
    with pl.runtime_scope():
        y: pl.Scalar[pl.INT32] = pl.yield_(n)
else:
    y: pl.Scalar[pl.INT32] = pl.yield_(n + 1)
pl.use(y)

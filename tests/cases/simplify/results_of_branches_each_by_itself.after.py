if b:
    z: pl.Scalar[pl.INDEX] = pl.yield_(i)
else:
    z: pl.Scalar[pl.INDEX] = pl.yield_(i + 1)
pl.test.use(z)

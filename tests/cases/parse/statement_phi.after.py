if b:
    y: pl.Scalar[pl.INT32] = pl.yield_(n)
else:
    y: pl.Scalar[pl.INT32] = pl.yield_(n + 1)
return y

if b:
    y: pl.Scalar[pl.INT32] = pl.yield_(n)
else:
    if i < 1:
        y_1: pl.Scalar[pl.INT32] = pl.yield_(n + pl.const(1, pl.INT32))
    else:
        y_1: pl.Scalar[pl.INT32] = pl.yield_(n + pl.const(2, pl.INT32))
    y: pl.Scalar[pl.INT32] = pl.yield_(y_1)
return y

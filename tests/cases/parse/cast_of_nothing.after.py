a: pl.Scalar[pl.INT32] = n + n
c: pl.Scalar[pl.INDEX] = i % 4
d: pl.Scalar[pl.BOOL] = f < 1.5
e: pl.Scalar[pl.BOOL] = b and n
g: pl.Scalar[pl.BOOL] = not n or i < 2
h: pl.Scalar[pl.INT32] = -n

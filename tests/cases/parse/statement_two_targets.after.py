y, z = (i, n)
w: pl.Scalar[pl.INT32] = z

y: pl.Scalar[pl.INT32] = n

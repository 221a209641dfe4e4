y: pl.Scalar[pl.BOOL] = pl._dump.logical_xor(n, i)

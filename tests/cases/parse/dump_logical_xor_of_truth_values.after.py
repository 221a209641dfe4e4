y: pl.Scalar[pl.BOOL] = b ^ b

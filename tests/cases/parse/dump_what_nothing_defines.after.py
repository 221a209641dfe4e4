y: pl.Scalar[pl.INT32] = n + y__FREE_VAR

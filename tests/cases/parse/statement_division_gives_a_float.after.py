y: pl.Scalar[pl.FP32] = n / i
z: pl.Scalar[pl.INT32] = n // i

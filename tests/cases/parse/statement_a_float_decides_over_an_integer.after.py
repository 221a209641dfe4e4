y: pl.Scalar[pl.FP32] = n + 1.5
z: pl.Scalar[pl.FP32] = 2 * y

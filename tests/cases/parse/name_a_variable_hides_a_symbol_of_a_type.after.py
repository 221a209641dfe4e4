w: pl.Tensor[[ROWS, 4], pl.FP32] = pl.test.mystery()
ROWS_1: pl.Scalar[pl.INT32] = n
z: pl.Scalar[pl.INT32] = ROWS_1

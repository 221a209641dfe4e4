w: pl.Tensor[[ROWS * 2, 4], pl.FP32] = pl.test.mystery()
y: pl.Scalar[pl.INDEX] = ROWS

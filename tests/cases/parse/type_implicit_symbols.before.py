# test: frame=bare_kernel
# implicit symbols
w: pl.Tensor[[ROWS * 2, 4], pl.FP32] = pl.test.mystery()
y = ROWS

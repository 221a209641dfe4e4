# test: frame=bare_kernel
# a variable hides a symbol of a type
w: pl.Tensor[[ROWS, 4], pl.FP32] = pl.test.mystery()
ROWS = n
z = ROWS

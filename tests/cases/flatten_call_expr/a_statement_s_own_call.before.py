# test: frame=flatten_call_expr
# expressions
# a statement's own call
v: pl.Scalar[pl.INT32] = pl.tensor.read(x, [0])
pl.tensor.write(x, [1], v)

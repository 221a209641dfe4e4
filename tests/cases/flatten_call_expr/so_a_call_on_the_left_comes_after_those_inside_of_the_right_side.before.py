# test: frame=flatten_call_expr
# expressions
# so a call on the left comes after those inside of the right side
v: pl.Scalar[pl.INT32] = pl.tensor.read(x, [6]) + pl.min(pl.tensor.read(x, [7]), pl.tensor.read(x, [8]))

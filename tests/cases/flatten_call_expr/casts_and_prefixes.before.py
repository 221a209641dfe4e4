# test: frame=flatten_call_expr
# expressions
# casts and prefixes
v: pl.Scalar[pl.INDEX] = pl.cast(-pl.tensor.read(x, [3]), pl.INDEX)

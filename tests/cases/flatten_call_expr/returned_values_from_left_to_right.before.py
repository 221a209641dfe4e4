# test: frame=flatten_call_expr
# statements
# returned values from left to right
return pl.tensor.read(x, [2]), n, pl.tensor.read(x, [1]) + 1

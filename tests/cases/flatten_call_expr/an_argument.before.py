# test: frame=flatten_call_expr
# expressions
# an argument
pl.tensor.write(x, [0], pl.tensor.read(x, [1]))

# test: frame=flatten_call_expr
# statements
# a condition that reads what the body assigns
i: pl.Scalar[pl.INDEX] = 0
while pl.tensor.read(x, [i]) < n:
    if n > 2:
        i = i + 1

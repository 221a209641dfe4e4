# test: frame=flatten_call_expr
# statements
# a condition; both sides of `and`, for there is no short circuit
if pl.cast(pl.tensor.read(x, [0]), pl.INDEX) > 0 and pl.cast(pl.tensor.read(x, [1]), pl.INDEX) > 0:
    pl.tensor.write(x, [0], n)

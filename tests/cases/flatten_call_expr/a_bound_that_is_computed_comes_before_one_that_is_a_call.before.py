# test: frame=flatten_call_expr
# statements
# a bound that is computed comes before one that is a call
for i in pl.range(pl.tensor.read(x, [0]), pl.cast(pl.tensor.read(x, [1]), pl.INDEX)):
    pl.tensor.write(x, [i], n)

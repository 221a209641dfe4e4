# test: frame=flatten_call_expr
# statements
# bounds: what is inside of all three, then start, stop and step
for i in pl.range(pl.cast(pl.tensor.read(x, [0]), pl.INDEX), pl.tensor.read(x, [1]), pl.tensor.read(x, [2])):
    pl.tensor.write(x, [i], n)

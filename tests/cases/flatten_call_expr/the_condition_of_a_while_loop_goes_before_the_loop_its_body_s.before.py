# test: frame=flatten_call_expr
# statements
# the condition of a while loop goes before the loop, its body's calls stay inside
while pl.tensor.read(x, [0]) < n:
    pl.tensor.write(x, [1], pl.tensor.read(x, [2]))

# test: frame=flatten_call_expr
# statements
# initial values stay; the numbers go on through the bodies
for i, (a,) in pl.range(pl.tensor.read(x, [0]), init_values=(pl.tensor.read(x, [1]),)):
    b: pl.Scalar[pl.INT32] = pl.yield_(a + pl.tensor.read(x, [i]))
pl.tensor.write(x, [0], pl.tensor.read(x, [2]))

# test: frame=flatten_call_expr
# statements
# a condition that reads what the loop carries
for (i,) in pl.while_(init_values=(0,)):
    pl.cond(pl.tensor.read(x, [i]) < n)
    j: pl.Scalar[pl.INDEX] = pl.yield_(i + 1)

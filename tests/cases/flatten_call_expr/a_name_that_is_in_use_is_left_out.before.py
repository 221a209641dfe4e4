# test: frame=flatten_call_expr
# expressions
# a name that is in use is left out
t__tmp_v0: pl.Scalar[pl.INT32] = n + 1
pl.tensor.write(x, [0], pl.tensor.read(x, [1]))
for t__tmp_v2 in pl.range(2):
    pl.tensor.write(x, [t__tmp_v2], -pl.tensor.read(x, [2]))

# test: frame=simplify
# scalars that are assigned once, to a constant
# in the types of what a loop carries and what branches yield
c: pl.Scalar[pl.INDEX] = 4
t: pl.Tensor[[c, 8], pl.FP32] = pl.tensor.create([c, 8], dtype=pl.FP32)
for j, (a,) in pl.range(i, init_values=(t,)):
    if b:
        s: pl.Tensor[[c, 8], pl.FP32] = pl.yield_(a)
    else:
        s: pl.Tensor[[c, 8], pl.FP32] = pl.yield_(t)
    y: pl.Tensor[[c, 8], pl.FP32] = pl.yield_(s)
pl.test.use(y)

t: pl.Tensor[[4, 8], pl.FP32] = pl.tensor.create([4, 8], dtype=pl.FP32)
for j, (a,) in pl.range(i, init_values=(t,)):
    if b:
        s: pl.Tensor[[4, 8], pl.FP32] = pl.yield_(a)
    else:
        s: pl.Tensor[[4, 8], pl.FP32] = pl.yield_(t)
    y: pl.Tensor[[4, 8], pl.FP32] = pl.yield_(s)
pl.test.use(y)

for j in pl.parallel(3, 4):
    v: pl.Tensor[[3, 8], pl.FP32] = pl.tensor.create([3, 8], dtype=pl.FP32)
    pl.test.use(v, 4)
for h in pl.parallel(0, 4, 4):
    pl.test.use(h, h < 4)
pl.test.use(i)

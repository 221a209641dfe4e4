# test: frame=simplify
# types follow
m = i
t: pl.Tensor[[m, 8], pl.FP32] = pl.test.use(m)
m = i + 1
u: pl.Tensor[[m, 8], pl.FP32] = pl.test.use(m, t)

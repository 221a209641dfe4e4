# test: frame=simplify
# loops
# the only value of a loop's variable takes its place, in types too; not where a step skips the others
for j in pl.parallel(3, 4):
    v: pl.Tensor[[j, 8], pl.FP32] = pl.tensor.create([j, 8], dtype=pl.FP32)
    pl.test.use(v, j + 1)
for h in pl.parallel(0, 4, 4):
    pl.test.use(h, h < 4)
pl.test.use(i)

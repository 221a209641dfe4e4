c: pl.Scalar[pl.INDEX] = 0
for j in pl.range(i):
    c = c + j
pl.test.use(c)

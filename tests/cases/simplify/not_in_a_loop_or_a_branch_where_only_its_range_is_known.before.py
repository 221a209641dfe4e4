# test: frame=simplify
# scalars that are assigned once, to a constant
# not in a loop or a branch, where only its range is known
for j in pl.range(i):
    c: pl.Scalar[pl.INDEX] = 3
    pl.test.use(c + j, c // 4, c < 4)

# test: frame=simplify
# ranges
# and so a branch on it may be known
for j in pl.range(2, 10):
    if j < 10:
        pl.test.use(1)
    if j < 2:
        pl.test.use(2)
    if j < 5:
        pl.test.use(3)

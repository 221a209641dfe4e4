# test: frame=simplify
# ranges
# and so a branch on it may be known
for j in pl.range(2, 10):
    if j < 10:
        pl.use(1)
    if j < 2:
        pl.use(2)
    if j < 5:
        pl.use(3)

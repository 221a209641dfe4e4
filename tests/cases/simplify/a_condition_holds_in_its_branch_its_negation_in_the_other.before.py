# test: frame=simplify
# ranges
# a condition holds in its branch, its negation in the other
if i < 4:
    pl.test.use(i // 4)
    if 3 < i:
        pl.test.use(1)
else:
    pl.test.use(pl.max(i, 4))
    if i < 4:
        pl.test.use(2)
pl.test.use(i // 4)

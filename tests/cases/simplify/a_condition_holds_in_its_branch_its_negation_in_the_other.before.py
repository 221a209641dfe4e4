# test: frame=simplify
# ranges
# a condition holds in its branch, its negation in the other
if i < 4:
    pl.use(i // 4)
    if 3 < i:
        pl.use(1)
else:
    pl.use(pl.max(i, 4))
    if i < 4:
        pl.use(2)
pl.use(i // 4)

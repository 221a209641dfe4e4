# test: frame=simplify
# ranges
# an INDEX is not negative, another integer may be
if 0 <= i:
    pl.use(1)
if 0 <= n:
    pl.use(2)

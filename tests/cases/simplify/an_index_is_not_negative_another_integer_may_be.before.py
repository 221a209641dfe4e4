# test: frame=simplify
# ranges
# an INDEX is not negative, another integer may be
if 0 <= i:
    pl.test.use(1)
if 0 <= n:
    pl.test.use(2)

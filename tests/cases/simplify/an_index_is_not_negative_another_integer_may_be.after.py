pl.test.use(1)
if 0 <= pl.cast(n, pl.INDEX):
    pl.test.use(2)

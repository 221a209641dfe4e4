pl.use(1)
if 0 <= pl.cast(n, pl.INDEX):
    pl.use(2)

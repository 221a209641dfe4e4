if i < 4 and pl.cast(n, pl.INDEX) < 3:
    pl.test.use(i)
    if pl.cast(n, pl.INDEX) < i:
        pl.test.use(1)

if i < 4 and pl.cast(n, pl.INDEX) < 3:
    pl.use(i)
    if pl.cast(n, pl.INDEX) < i:
        pl.use(1)

if b:
    pl.use(0)
    pl.use(1)

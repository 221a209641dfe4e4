while False:
    pl.use(1)

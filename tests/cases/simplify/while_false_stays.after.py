while False:
    pl.test.use(1)

if b:
    pl.test.use(0)
    pl.test.use(1)

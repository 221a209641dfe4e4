for j in pl.range(2, 10):
    pl.test.use(1)
    if j < 5:
        pl.test.use(3)

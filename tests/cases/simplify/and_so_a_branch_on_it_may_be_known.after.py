for j in pl.range(2, 10):
    pl.use(1)
    if j < 5:
        pl.use(3)

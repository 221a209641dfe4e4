if i < 4:
    i = i + 10
    if i < 4:
        pl.test.use(i)

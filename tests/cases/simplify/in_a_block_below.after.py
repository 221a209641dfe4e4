for j in pl.range(i):
    if b:
        pl.test.use(3, j)

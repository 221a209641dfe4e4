for j in pl.range(i):
    if j < i:
        pl.test.use(j)

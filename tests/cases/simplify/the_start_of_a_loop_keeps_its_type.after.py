for j in pl.range(3, i):
    pl.test.use(j)

for j in pl.range(2):
    pl.test.use(j)

for j in pl.range(3, i):
    pl.use(j)

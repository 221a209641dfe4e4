for j in pl.range(2):
    pl.use(j)

for j in pl.range(i):
    if True:
        break
    pl.test.use(j)

for j in pl.range(i):
    if True:
        break
    pl.use(j)

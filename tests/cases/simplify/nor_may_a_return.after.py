if True:
    return
pl.use(1)

if True:
    return
pl.test.use(1)

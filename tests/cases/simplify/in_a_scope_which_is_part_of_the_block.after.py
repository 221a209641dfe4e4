with pl.scope():
    pl.use(3)
pl.use(3)

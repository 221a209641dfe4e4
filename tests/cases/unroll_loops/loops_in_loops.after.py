pl.use(0, 1)
pl.use(0, 2)
pl.use(1, 1)
pl.use(1, 2)

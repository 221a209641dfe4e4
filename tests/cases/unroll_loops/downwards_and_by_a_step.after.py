pl.use(5)
pl.use(3)
pl.use(1)

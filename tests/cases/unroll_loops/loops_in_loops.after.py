pl.test.use(0, 1)
pl.test.use(0, 2)
pl.test.use(1, 1)
pl.test.use(1, 2)

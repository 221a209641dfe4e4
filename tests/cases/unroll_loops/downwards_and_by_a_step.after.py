pl.test.use(5)
pl.test.use(3)
pl.test.use(1)

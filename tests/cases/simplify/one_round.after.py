pl.test.use(5, i + 5)
pl.test.use(0)
pl.test.use(i)

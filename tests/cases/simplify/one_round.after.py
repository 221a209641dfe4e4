pl.use(5, i + 5)
pl.use(0)
pl.use(i)

pl.use(2)
pl.use(n + 1, n + 1)

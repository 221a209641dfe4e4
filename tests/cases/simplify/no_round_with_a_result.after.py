pl.use(n)

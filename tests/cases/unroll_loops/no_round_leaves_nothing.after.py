pl.use(i)

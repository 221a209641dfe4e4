pl.use(1)

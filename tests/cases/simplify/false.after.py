pl.use(2)

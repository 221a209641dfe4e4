pl.use(3)

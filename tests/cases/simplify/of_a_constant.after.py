pl.use(6)

pl.use(0, 0)

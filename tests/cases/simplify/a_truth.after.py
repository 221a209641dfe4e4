pl.use(b)

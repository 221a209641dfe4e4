pl.test.use(b)

pl.test.use(1)

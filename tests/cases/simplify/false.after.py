pl.test.use(2)

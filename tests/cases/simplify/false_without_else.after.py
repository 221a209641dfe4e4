pl.test.use(3)

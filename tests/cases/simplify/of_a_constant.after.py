pl.test.use(6)

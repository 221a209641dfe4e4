pl.test.use(0, 0)

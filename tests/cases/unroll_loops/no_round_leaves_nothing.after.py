pl.test.use(i)

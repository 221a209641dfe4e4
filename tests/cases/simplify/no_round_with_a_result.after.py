pl.test.use(n)

pl.test.use(2)
pl.test.use(n + pl.const(1, pl.INT32), n + pl.const(1, pl.INT32))

pl.test.use(pl.const(4, pl.INT32), n + pl.const(4, pl.INT32))

pl.use(2)
pl.use(n + pl.const(1, pl.INT32), n + pl.const(1, pl.INT32))

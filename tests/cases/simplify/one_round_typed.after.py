pl.test.use(pl.const(0, pl.INT64))

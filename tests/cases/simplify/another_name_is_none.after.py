c: pl.Scalar[pl.INT32] = n
d: pl.Scalar[pl.INT32] = c
ctx: pld.CommCtx = sig_ctx
me: pl.Scalar[pl.INT32] = pld.system.rank(ctx)
pl.test.use(d, me)

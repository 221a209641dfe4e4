# test: frame=simplify
# loops
# one round, typed
for j in pl.range(pl.const(0, pl.INT64), pl.const(1, pl.INT64), pl.const(1, pl.INT64)):
    pl.test.use(j)

# test: frame=simplify
# each round has loops and results of its own
for j in pl.unroll(2):
    for k, (q,) in pl.range(4, init_values=(i,)):
        r = pl.yield_(q + j)
    pl.test.use(r)
pl.test.use(r)

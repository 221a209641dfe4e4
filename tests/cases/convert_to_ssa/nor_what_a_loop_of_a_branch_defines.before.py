# test: frame=simplify
# nor what a loop of a branch defines
if b:
    for j, (q,) in pl.range(4, init_values=(i,)):
        z = pl.yield_(q + 1)
pl.test.use(z)

# test: frame=simplify
# a result has a variable of its own whatever its name
a = i
for j in pl.range(4):
    for k, (q,) in pl.range(4, init_values=(a,)):
        a = pl.yield_(q + k)
    pl.test.use(a)

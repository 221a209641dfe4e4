# test: frame=simplify
# a loop that is written with what it carries keeps those names in front
a = i
for j, (q,) in pl.range(4, init_values=(a,)):
    a = a + 1
    q2 = q + a
    r = pl.yield_(q2)
pl.test.use(a, r)

# test: frame=simplify
# a loop that yields nothing of what it is given carries that as it is
a = i
for j, (q,) in pl.range(4, init_values=(a,)):
    a = a + q
pl.test.use(a)

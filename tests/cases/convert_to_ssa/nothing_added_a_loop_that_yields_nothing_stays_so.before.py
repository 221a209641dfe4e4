# test: frame=simplify
# nothing added a loop that yields nothing stays so
for j, (q,) in pl.range(4, init_values=(i,)):
    pl.test.use(q)

# test: frame=bare_kernel
# state in parentheses of its own
for (j, (a,)) in pl.range(i, init_values=(n,)):
    r = pl.yield_(a)

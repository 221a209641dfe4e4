# test: frame=bare_kernel
# the yield of a loop in the body is not its own
for j, (a,) in pl.range(i, init_values=(n,)):
    for m, (c,) in pl.range(i, init_values=(a,)):
        r = pl.yield_(c)
    a = r

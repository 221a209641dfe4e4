# test: frame=bare_kernel
# while with state
for (a,) in pl.while_(init_values=(n,)):
    pl.cond(a < 2)
    r = pl.yield_(a + 1)
return r

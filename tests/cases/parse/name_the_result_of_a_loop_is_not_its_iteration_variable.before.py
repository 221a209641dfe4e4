# test: frame=bare_kernel
# the result of a loop is not its iteration variable
for j, (a,) in pl.range(2, init_values=(n,)):
    a = pl.yield_(a)
y = a

# test: frame=bare_kernel
# state that nothing carries on: what is assigned is another variable
for j, (a,) in pl.range(i, init_values=(n,)):
    a = a + 1
    y = a
z = n

# test: frame=kernel
# scalars of a loop that never runs
for i, (a,) in pl.range(0, init_values=(n,)):
    b = pl.yield_(a + 1)
pl.write(out, [0, 0], b)

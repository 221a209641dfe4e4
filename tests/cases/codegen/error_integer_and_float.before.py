# test: frame=kernel
# integer and float
for i, (a,) in pl.range(2, init_values=(1,)):
    r = pl.yield_(2.5)

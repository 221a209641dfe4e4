# test: frame=kernel
# tensors that change places
for i, (a, b) in pl.range(1, init_values=(x, out)):
    ra, rb = pl.yield_(b, a)

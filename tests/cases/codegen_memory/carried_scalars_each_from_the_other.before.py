# test: frame=kernel
# scalars, each from the other
for i, (a, b) in pl.range(5, init_values=(0, 1)):
    c = a + b
    fa, fb = pl.yield_(b, c)
pl.write(out, [0, 0], fa)
pl.write(out, [0, 1], fb)
# Fibonacci

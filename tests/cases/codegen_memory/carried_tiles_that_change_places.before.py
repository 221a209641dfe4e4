# test: frame=kernel
# tiles that change places
t0 = pl.load(x, [0, 0], [1, 16])
t1 = pl.load(x, [1, 0], [1, 16])
for i, (a, b) in pl.range(3, init_values=(t0, t1)):
    ra, rb = pl.yield_(b, a)
pl.store(ra, [0, 0], out)
pl.store(rb, [1, 0], out)

# test: frame=kernel
# tile accumulator; the initial tile stays as it was
t0 = pl.load(x, [0, 0], [1, 16])
for i, (acc,) in pl.range(3, init_values=(t0,)):
    s = pl.add(acc, t0)
    r = pl.yield_(s)
pl.store(r, [0, 0], out)
pl.store(t0, [1, 0], out)

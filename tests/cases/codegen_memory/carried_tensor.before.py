# test: frame=kernel
# tensor
for i, (o,) in pl.range(2, init_values=(out,)):
    t = pl.load(x, [1 - i, 0], [1, 16])
    o2 = pl.store(t, [i, 0], o)
    o3 = pl.yield_(o2)
pl.write(o3, [0, 3], 99)

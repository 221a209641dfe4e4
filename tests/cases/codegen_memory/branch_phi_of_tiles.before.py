# test: frame=kernel
# phi of tiles
a = pl.load(x, [0, 0], [1, 16])
b = pl.load(x, [1, 0], [1, 16])
if n > 3:
    t = pl.yield_(a)
else:
    t = pl.yield_(b)
pl.store(t, [0, 0], out)

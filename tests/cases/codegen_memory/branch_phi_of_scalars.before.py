# test: frame=kernel
# phi of scalars
if n == 3:
    y = pl.yield_(n + 10)
else:
    y = pl.yield_(n + 20)
pl.write(out, [0, 0], y)

# test: frame=bare_kernel
# unified add of tiles and scalars
t = pl.load(x, [0, 0], [1, 64])
u = pl.add(t, t)
v = pl.mul(t, 2.0)
w = pl.add(x, x)

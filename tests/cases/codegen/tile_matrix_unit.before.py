# test: frame=kernel
# matrix unit
t = pl.load(f, [0, 0], [4, 4])
m = pl.tile.matmul(t, t)

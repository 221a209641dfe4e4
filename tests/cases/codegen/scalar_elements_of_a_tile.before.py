# test: frame=kernel
# elements of a tile
t = pl.load(x, [0, 0], [2, 8])
pl.tile.write(t, [1, 2], 77)
v = pl.tile.read(t, [0, 3])
pl.write(out, [0, 0], v)

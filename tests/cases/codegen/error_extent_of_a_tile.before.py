# test: frame=kernel
# extent of a tile
t = pl.load(x, [0, 0], [1, n])

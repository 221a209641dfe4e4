# test: frame=kernel
# peer copy of a slice
v = pl.tensor.slice(win, [2, 16], [2, 0])
t = pld.tile.remote_load(v, 4 - n, [1, 0], [1, 16])

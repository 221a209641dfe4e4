# test: frame=kernel
# remote_load
t = pld.tile.remote_load(win, 4 - n, [1, 0], [2, 16])

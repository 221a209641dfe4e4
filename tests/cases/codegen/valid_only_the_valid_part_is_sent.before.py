# test: frame=kernel
# n is 3 on rank 0, whose trace this is
# only the valid part is sent
t = pl.load(x, [0, 0], [2, 16], [1, 5])
pld.tile.remote_store(t, win, 4 - n, [1, 0])

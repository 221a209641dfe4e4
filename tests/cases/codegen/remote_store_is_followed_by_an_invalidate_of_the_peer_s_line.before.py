# test: frame=kernel
# remote_store is followed by an invalidate of the peer's line
t = pl.load(x, [0, 0], [1, 16])
pld.tile.remote_store(t, win, 4 - n, [2, 0])

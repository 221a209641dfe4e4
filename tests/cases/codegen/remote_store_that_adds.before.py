# test: frame=kernel
# remote_store that adds
t = pl.load(x, [0, 0], [1, 16])
pld.tile.remote_store(t, win, 4 - n, [0, 0], atomic=pld.AtomicType.Add)

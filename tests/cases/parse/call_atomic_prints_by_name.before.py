# test: frame=bare_kernel
# atomic prints by name
t = pl.load(x, [0, 0], [1, 64])
pld.tile.remote_store(t, win, n, [0, 0], atomic=pld.AtomicType.Add)

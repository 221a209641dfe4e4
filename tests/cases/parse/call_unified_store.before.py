# test: frame=bare_kernel
# unified store
t = pl.load(x, (0, 0), (1, 64))
o = pl.store(t, [0, 0], out)

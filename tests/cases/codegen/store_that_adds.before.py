# test: frame=kernel
# store that adds
t = pl.load(x, [0, 0], [1, 16])
pl.store(t, [0, 0], out, atomic=pl.AtomicType.Add)

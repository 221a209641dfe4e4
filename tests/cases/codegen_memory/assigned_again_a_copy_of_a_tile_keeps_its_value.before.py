# test: frame=kernel
# names that are assigned again
# a copy of a tile keeps its value
acc = pl.load(x, [0, 0], [1, 16])
old = acc
acc = pl.add(acc, acc)
pl.store(old, [0, 0], out)
pl.store(acc, [1, 0], out)

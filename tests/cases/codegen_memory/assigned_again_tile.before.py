# test: frame=kernel
# names that are assigned again
# tile
acc = pl.load(x, [0, 0], [1, 16])
for i in pl.range(2):
    acc = pl.add(acc, acc)
pl.store(acc, [0, 0], out)

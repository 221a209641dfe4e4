# test: frame=simplify
# defined anew behind the loop it stays inside
for j in pl.range(4):
    t = pl.load(x, [0, 0], [1, 16])
    pl.test.use(t)
t = pl.load(x, [1, 0], [1, 16])
pl.test.use(t)

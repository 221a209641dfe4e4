# test: frame=simplify
# of the type of a parameter that is written it begins as that
for j in pl.range(4):
    t = pl.load(x, [0, 0], [1, 16])
    o2 = pl.store(t, [0, 0], out)
pl.test.use(o2)

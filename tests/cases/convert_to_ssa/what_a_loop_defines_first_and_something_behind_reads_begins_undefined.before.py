# test: frame=simplify
# what a loop defines first and something behind reads begins undefined
for j in pl.range(4):
    t = pl.load(x, [0, 0], [1, 16])
    u = pl.load(x, [1, 0], [1, 16])
    pl.test.use(u)
pl.test.use(t)

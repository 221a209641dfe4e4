# test: frame=simplify
# every version has the type of what it is given
t = pl.load(x, [0, 0], [4, 16], [2, 16])
t = pl.load(x, [0, 0], [4, 16], [i, 16])
pl.test.use(t)

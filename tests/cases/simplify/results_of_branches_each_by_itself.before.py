# test: frame=simplify
# what nothing uses
# results of branches, each by itself
if b:
    y, z = pl.yield_(n, i)
else:
    y, z = pl.yield_(n + 1, i + 1)
pl.test.use(z)

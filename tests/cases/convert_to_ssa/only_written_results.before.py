# test: frame=simplify
# only written results
if b:
    r = pl.yield_(i + 1)
else:
    r = pl.yield_(i)
pl.test.use(r)

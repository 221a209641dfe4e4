# test: frame=simplify
# written results of an if come behind
a = i
if b:
    a = i + 1
    r = pl.yield_(a)
else:
    r = pl.yield_(i)
pl.test.use(a, r)

# test: frame=simplify
# several targets
a, c = 1, i
a, c = c, a
pl.test.use(a, c)

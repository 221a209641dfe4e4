# test: frame=simplify
# each assignment makes a version
a = i + 1
a = a * 2
pl.test.use(a, i)

# test: frame=simplify
# an if without else yields what was there
a = i + 1
if b:
    a = a * 2
pl.test.use(a)

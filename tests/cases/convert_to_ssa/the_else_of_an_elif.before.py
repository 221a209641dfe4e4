# test: frame=simplify
# the else of an elif
a = i
if b:
    a = i + 1
elif i > 3:
    a = i + 2
pl.test.use(a)

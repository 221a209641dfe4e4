# test: frame=simplify
# what both branches define is a result of the if, in the order of the names
if b:
    z = i + 1
    y = i
else:
    y = i + 2
    z = i
pl.test.use(y, z)

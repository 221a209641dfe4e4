# test: frame=simplify
# several are sorted by their names
y = i
x2 = i
for j in pl.range(4):
    y = y + 1
    x2 = x2 + y
pl.test.use(x2, y)

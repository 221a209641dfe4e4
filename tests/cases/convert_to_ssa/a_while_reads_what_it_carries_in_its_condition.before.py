# test: frame=simplify
# a while reads what it carries in its condition
k = i
while k < 4:
    k = k + 1
pl.test.use(k)

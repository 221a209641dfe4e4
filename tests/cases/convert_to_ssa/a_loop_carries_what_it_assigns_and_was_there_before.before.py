# test: frame=simplify
# a loop carries what it assigns and was there before
a = i
c = i
for j in pl.range(4):
    t = a + j
    a = t + c
pl.test.use(a)

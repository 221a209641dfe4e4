# test: frame=simplify
# loops in loops carry through
a = i
for j in pl.range(4):
    for k in pl.range(j):
        a = a + k
pl.test.use(a)

# test: frame=simplify
# a runtime scope around a whole body holds the yield
a = i
for j in pl.range(4):
    with pl.scope():
        a = a + j
pl.use(a)

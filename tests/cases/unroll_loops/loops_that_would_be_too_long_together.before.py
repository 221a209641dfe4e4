# test: frame=simplify
# each may have its rounds, both together are more than a function holds
for j in pl.unroll(1000):
    for k in pl.unroll(1000):
        pl.test.use(k)

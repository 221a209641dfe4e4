# test: frame=simplify
# a loop that would be too long
for j in pl.unroll(1000000000):
    pl.test.use(j)

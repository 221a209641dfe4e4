# test: frame=simplify
# loops
# one round of one round
for j in pl.range(1):
    for k in pl.range(j, j + 1):
        pl.test.use(j, k)

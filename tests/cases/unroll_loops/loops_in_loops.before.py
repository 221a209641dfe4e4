# test: frame=simplify
# loops in loops
for j in pl.unroll(2):
    for k in pl.unroll(1, 3):
        pl.test.use(j, k)

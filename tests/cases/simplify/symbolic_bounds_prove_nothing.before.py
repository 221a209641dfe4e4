# test: frame=simplify
# ranges
# symbolic bounds prove nothing
for j in pl.range(i):
    if j < i:
        pl.test.use(j)

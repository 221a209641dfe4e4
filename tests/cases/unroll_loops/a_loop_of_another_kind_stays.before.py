# test: frame=simplify
# a loop of another kind stays
for j in pl.range(2):
    pl.test.use(j)

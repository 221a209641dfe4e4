# test: frame=simplify
# loops
# a loop of another kind or with attributes stays; its variable is known
for j in pl.parallel(1):
    pl.test.use(j // 1, j % 4)
for j in pl.range(1, attrs={"hint": True}):
    pl.test.use(j)

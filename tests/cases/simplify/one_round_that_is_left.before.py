# test: frame=simplify
# loops
# one round that is left
for j in pl.range(1):
    if b:
        break
    pl.test.use(j)

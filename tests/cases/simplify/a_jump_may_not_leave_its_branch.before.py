# test: frame=simplify
# branches
# a jump may not leave its branch
for j in pl.range(i):
    if True:
        break
    pl.test.use(j)

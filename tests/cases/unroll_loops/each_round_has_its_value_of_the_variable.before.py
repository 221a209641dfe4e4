# test: frame=simplify
# each round has its value of the variable
for j in pl.unroll(2):
    a = i + j
    pl.test.use(a)
pl.test.use(i)

# test: frame=simplify
# branches
# while False stays
while False:
    pl.test.use(1)

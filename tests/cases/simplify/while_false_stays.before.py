# test: frame=simplify
# branches
# while False stays
while False:
    pl.use(1)

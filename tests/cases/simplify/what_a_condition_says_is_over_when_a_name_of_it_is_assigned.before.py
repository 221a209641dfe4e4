# test: frame=simplify
# ranges
# what a condition says is over when a name of it is assigned
if i < 4:
    i = i + 10
    if i < 4:
        pl.test.use(i)

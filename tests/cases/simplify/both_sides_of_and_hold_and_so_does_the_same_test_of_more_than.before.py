# test: frame=simplify
# ranges
# both sides of `and` hold, and so does the same test of more than one name
if i < 4 and n < 3:
    if i <= 3 and n < 3:
        pl.test.use(i)
    if pl.cast(n, pl.INDEX) < i:
        if pl.cast(n, pl.INDEX) < i:
            pl.test.use(1)

pl.use(1)
if 0 <= n:
    pl.use(2)

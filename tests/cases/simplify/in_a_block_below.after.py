for j in pl.range(i):
    if b:
        pl.use(3, j)

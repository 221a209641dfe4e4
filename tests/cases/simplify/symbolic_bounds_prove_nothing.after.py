for j in pl.range(i):
    if j < i:
        pl.use(j)

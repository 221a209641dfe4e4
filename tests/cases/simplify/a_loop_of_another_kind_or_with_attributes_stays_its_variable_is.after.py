for j in pl.parallel(1):
    pl.use(j, j)
for j in pl.range(1, attrs={"hint": True}):
    pl.use(j)

for j in pl.parallel(1):
    pl.use(0, 0)
for j in pl.range(1, attrs={"hint": True}):
    pl.use(0)

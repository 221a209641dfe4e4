for j in pl.parallel(1):
    pl.test.use(0, 0)
for j in pl.range(1, attrs={"hint": True}):
    pl.test.use(0)

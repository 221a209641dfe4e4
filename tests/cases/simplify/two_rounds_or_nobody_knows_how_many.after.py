for j in pl.range(2):
    pl.test.use(j)
for j in pl.range(i):
    pl.test.use(j)

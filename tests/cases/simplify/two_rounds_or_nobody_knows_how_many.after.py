for j in pl.range(2):
    pl.use(j)
for j in pl.range(i):
    pl.use(j)

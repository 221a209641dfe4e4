for j in pl.range(-4, 4):
    pl.test.use(j % 4, j // 8, 0, j)
for h in pl.range(4):
    pl.test.use(h, 0)

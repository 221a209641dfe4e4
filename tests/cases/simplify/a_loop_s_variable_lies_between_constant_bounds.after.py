for j in pl.range(4):
    pl.test.use(0, j, j, 3, j // 2)

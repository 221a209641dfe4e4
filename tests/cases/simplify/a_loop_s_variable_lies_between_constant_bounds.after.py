for j in pl.range(4):
    pl.use(0, j, j, 3, j // 2)

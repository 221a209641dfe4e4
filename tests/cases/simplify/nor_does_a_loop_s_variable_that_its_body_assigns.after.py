for j in pl.range(4):
    pl.use(j // 4)
    j = j + 9

if i < 4:
    pl.test.use(0)
else:
    pl.test.use(i)
pl.test.use(i // 4)

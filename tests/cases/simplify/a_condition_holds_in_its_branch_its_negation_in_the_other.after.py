if i < 4:
    pl.use(0)
else:
    pl.use(i)
pl.use(i // 4)

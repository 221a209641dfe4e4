for j in pl.range(1):
    if b:
        break
    pl.test.use(0)

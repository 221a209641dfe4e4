for lane in pl.spmd(2):
    pl.test.use(i, lane)
pl.test.use(i)

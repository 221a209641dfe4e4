for lane in pl.spmd(2):
    pl.use(i, lane)
pl.use(i)

with pl.scope(mode=pl.ScopeMode.MANUAL):
    pl.test.use(3)
pl.test.use(3)

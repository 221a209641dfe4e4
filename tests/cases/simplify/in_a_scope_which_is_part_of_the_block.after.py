with pl.scope(mode=pl.ScopeMode.MANUAL):
    pl.use(3)
pl.use(3)

with pl.at(level=pl.Level.CHIP) as t:
    pass
pl.m(t)

with pl.scope():
    pass
with pl.scope():
    with pl.scope():
        pass
    pl.m(n)

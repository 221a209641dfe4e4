pld.system.wait(sig, [0, 0], pl.const(1, pl.INT32), cmp=1)
pl.system.cacheinvalid()
if pl.cast(n, pl.INDEX) > 0:
    pld.system.wait(sig, [1, 0], pl.const(1, pl.INT32), cmp=1)
    pl.system.cacheinvalid()

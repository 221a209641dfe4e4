if pl.cast(n, pl.INDEX) > 0:
    pld.system.wait(sig, [0, 0], pl.const(1, pl.INT32), cmp=1)
    pl.system.cacheinvalid()
    pld.system.wait(sig, [1, 0], pl.const(1, pl.INT32), cmp=1)
    pl.system.cacheinvalid()
else:
    pld.system.wait(sig, [2, 0], pl.const(1, pl.INT32), cmp=1)
    pl.system.cacheinvalid()
pl.tile.load(win_a, [0, 0], [1, 64], [1, 64])

for src in pl.range(pl.cast(me, pl.INDEX) + 1, pl.max(pl.cast(n, pl.INDEX), 2), 2):
    pld.system.wait(sig, [src, 0], pl.const(1, pl.INT32), cmp=1)
    pl.system.cacheinvalid()
    pld.system.wait(sig, [src - 1, 0], pl.const(1, pl.INT32), cmp=1)
    pl.system.cacheinvalid()

if pl.cast(n, pl.INDEX) > 0:
    for src in pl.range(8):
        pld.system.wait(sig, [src, 0], pl.const(1, pl.INT32), cmp=1)
    pl.system.cacheinvalid()

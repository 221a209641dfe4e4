for i in pl.range(2):
    if pl.cast(n, pl.INDEX) > i:
        for src in pl.range(8):
            pld.system.wait(sig, [src, 0], pl.const(1, pl.INT32), cmp=1)
        pl.system.cacheinvalid()
    pl.tile.load(win_a, [0, 0], [1, 64], [1, 64])

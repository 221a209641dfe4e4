for row in pl.range(4):
    for src in pl.range(8):
        if src != pl.cast(me, pl.INDEX):
            pld.system.wait(sig, [src, 0], pl.const(1, pl.INT32), cmp=1)
            pl.system.cacheinvalid()
pl.tile.load(win_a, [0, 0], [1, 64], [1, 64])

for s in pl.range(7):
    for p in pl.range(8):
        if p != pl.cast(me, pl.INDEX):
            pld.system.notify(sig, p, [me, 0], pl.const(1, pl.INT32), op=0)
    pl.tile.store(tile, [0, 0], win_a)
    pl.system.cacheinvalid(win_a, [1, 64], [0, 0])
    pl.system.fence()

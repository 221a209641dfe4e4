pl.tile.store(tile, [0, 0], win_a)
pl.system.cacheinvalid(win_a, [1, 64], [0, 0])
pl.system.fence()
if pl.cast(n, pl.INDEX) > 0:
    pld.system.notify(sig, peer, [me, 0], pl.const(1, pl.INT32), op=0)

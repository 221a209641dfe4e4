pl.tile.store(tile, [0, 0], win_a)
pl.system.cacheinvalid(win_a, [1, 64], [0, 0])
pl.system.fence()
for p in pl.range(8):
    if p != pl.cast(me, pl.INDEX):
        pld.system.notify(sig, p, [me, 0], pl.const(1, pl.INT32), op=0)
for src in pl.range(8):
    if src != pl.cast(me, pl.INDEX):
        pld.system.wait(sig, [src, 0], pl.const(1, pl.INT32), cmp=1)
        pl.system.cacheinvalid()
pld.tile.remote_load(win_a, peer, [0, 0], [1, 64])

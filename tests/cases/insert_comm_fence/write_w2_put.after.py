pld.tile.put(win_a, peer, plain, tile, atomic=pl.AtomicType.None_)
pl.system.fence()
pld.system.notify(sig, peer, [me, 0], pl.const(1, pl.INT32), op=0)

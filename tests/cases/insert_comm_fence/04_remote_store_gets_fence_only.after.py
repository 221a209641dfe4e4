pld.tile.remote_store(tile, win_a, peer, [0, 0])
pl.system.fence()
pld.system.notify(sig, peer, [me, 0], pl.const(1, pl.INT32), op=0)

pld.tile.remote_store(tile, win_a, peer, [0, 0])
pl.system.fence()
pl.system.cacheinvalid(win_a, [1, 64], [0, 0])
pl.system.fence()

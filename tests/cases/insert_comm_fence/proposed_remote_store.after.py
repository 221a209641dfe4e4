pld.tile.remote_store(tile, win_a, peer, [0, 0])
pl.system.fence()

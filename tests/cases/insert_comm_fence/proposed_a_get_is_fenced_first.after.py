pld.tile.get(win_a, peer, win_b, tile)
pl.system.fence()
pl.system.cacheinvalid(win_a, [1, 64], [0, 0])

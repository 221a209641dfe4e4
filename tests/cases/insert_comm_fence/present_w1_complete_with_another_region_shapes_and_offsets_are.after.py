pl.tile.store(tile, [0, 0], win_a)
pl.system.cacheinvalid(win_a, [1, 32], [0, 16])
pl.system.fence()

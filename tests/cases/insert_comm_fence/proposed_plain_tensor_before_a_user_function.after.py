pl.tile.store(tile, [0, 0], plain)
self.helper(win_a)
pl.system.cacheinvalid()
pl.system.fence()

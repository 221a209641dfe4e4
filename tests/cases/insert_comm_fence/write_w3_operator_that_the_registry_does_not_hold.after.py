pl.tile.frobnicate(tile)
pl.system.cacheinvalid()
pl.system.fence()

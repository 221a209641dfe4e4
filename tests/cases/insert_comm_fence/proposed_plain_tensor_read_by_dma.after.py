pl.tile.store(tile, [0, 0], plain)
pl.system.fence()
pl.system.cacheinvalid(plain, [1, 64], [0, 0])
pl.tile.load(plain, [0, 0], [1, 64], [1, 64])

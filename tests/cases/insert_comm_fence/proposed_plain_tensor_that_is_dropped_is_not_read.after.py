pl.tile.store(tile, [0, 0], plain)
pl.system.cacheinvalid(plain, [1, 64], [0, 0])

for i in pl.range(4):
    pl.tensor.read(plain, [0, 0])
    pl.tile.store(tile, [0, 0], plain)
    pl.system.fence()
    pl.system.cacheinvalid(plain, [1, 64], [0, 0])

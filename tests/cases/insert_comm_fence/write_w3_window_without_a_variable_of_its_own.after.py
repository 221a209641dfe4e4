pl.tile.store(tile, [0, 0], pl.tensor.view(win_a, [1, 64]))
pl.system.cacheinvalid()
pl.system.fence()

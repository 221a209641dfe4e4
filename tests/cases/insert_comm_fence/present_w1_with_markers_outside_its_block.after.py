if pl.cast(n, pl.INDEX) > 0:
    pl.tile.store(tile, [0, 0], win_a)
    pl.system.cacheinvalid(win_a, [1, 64], [0, 0])
    pl.system.fence()
pl.system.cacheinvalid(win_a, [1, 64], [0, 0])
pl.system.fence()

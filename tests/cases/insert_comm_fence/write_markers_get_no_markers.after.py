pl.system.fence()
pl.system.cacheinvalid()
pl.system.cacheinvalid(win_a, [1, 64], [0, 0])

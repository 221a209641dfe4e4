pl.tensor.write(win_a, [0, 0], value)
pl.system.cacheinvalid(win_a, [1, 64], [0, 0])
pl.system.fence()

pld.tensor.get(win_a, peer, win_b)
pl.system.cacheinvalid(win_a, [1, 64], [0, 0])
pl.system.fence()

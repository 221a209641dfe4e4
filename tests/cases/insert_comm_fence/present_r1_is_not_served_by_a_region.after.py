pld.system.wait(sig, [peer, 0], pl.const(1, pl.INT32), cmp=1)
pl.system.cacheinvalid()
pl.system.cacheinvalid(win_a, [1, 64], [0, 0])

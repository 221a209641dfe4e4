pld.system.wait(sig, [peer, 0], pl.const(1, pl.INT32), cmp=1)
pl.system.cacheinvalid()
pl.tensor.read(win_a, [0, 0])
pl.tensor.write(out, [0, 0], value)

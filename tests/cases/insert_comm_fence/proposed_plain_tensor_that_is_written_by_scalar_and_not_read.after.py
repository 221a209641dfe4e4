pl.tensor.write(plain, [0, 0], value)
pld.system.notify(sig, peer, [me, 0], pl.const(1, pl.INT32), op=0)

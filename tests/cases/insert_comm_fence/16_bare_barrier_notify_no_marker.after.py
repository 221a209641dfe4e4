pld.system.notify(sig, peer, [me, 0], pl.const(1, pl.INT32), op=0)
pld.system.notify(sig, me, [me, 0], pl.const(1, pl.INT32), op=0)

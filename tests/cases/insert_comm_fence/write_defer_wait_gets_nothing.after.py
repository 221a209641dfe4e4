pld.system.defer_wait(sig, [0, 0], pl.const(1, pl.INT32), cmp=1)

r: pl.UnknownType = pld.system.wait(sig, [0, 0], 1, cmp=0)

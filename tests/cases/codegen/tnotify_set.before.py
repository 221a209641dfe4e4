# test: frame=kernel
# hw-facts 1.2
# TNOTIFY Set
pld.system.notify(sig, 4 - n, [2, 0], 7, op=pld.NotifyOp.Set)

# test: frame=kernel
# hw-facts 1.2
# TNOTIFY AtomicAdd
pld.system.notify(sig, 4 - n, [0, 0], 5, op=pld.NotifyOp.AtomicAdd)

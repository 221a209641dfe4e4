# test: frame=kernel
# hw-facts 1.2
# TNOTIFY to the own cell
pld.system.notify(sig, n - 3, [1, 0], -2, op=pld.NotifyOp.AtomicAdd)

# test: frame=kernel
# deferred wait
pld.system.defer_wait(sig, [0, 0], 1, cmp=1)

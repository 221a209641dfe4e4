# test: frame=kernel notify_pre_barrier=none
# what a key of the toolchain changes
# notify: none
pld.system.notify(sig, 4 - n, [0, 0], 1, op=0)

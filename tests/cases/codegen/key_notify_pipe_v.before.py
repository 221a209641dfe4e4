# test: frame=kernel notify_pre_barrier=pipe_v
# what a key of the toolchain changes
# notify: pipe v
pld.system.notify(sig, 4 - n, [0, 0], 1, op=0)

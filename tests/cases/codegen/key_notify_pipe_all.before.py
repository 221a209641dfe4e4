# test: frame=kernel notify_pre_barrier=pipe_all
# what a key of the toolchain changes
# notify: pipe all
pld.system.notify(sig, 4 - n, [0, 0], 1, op=0)

# test: frame=kernel
# notify on a float signal
pld.system.notify(fwin, 1, [0, 0], 1, op=0)

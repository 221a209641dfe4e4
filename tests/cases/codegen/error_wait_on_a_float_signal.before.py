# test: frame=kernel
# wait on a float signal
pld.system.wait(fwin, [0, 0], 1, cmp=1)

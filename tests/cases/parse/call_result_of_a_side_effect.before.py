# test: frame=bare_kernel
# result of a side effect
r = pld.system.wait(sig, [0, 0], 1, cmp=0)

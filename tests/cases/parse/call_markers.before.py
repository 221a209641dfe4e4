# test: frame=bare_kernel
# markers
pl.system.fence()
pl.system.cacheinvalid()
pl.system.cacheinvalid(win, [4, 64], [0, 0])

# test: frame=kernel
# whole cache
pl.system.cacheinvalid()

# test: frame=kernel
# host operator
pld.system.world_size()

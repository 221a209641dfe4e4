# test: frame=insert_comm_fence
# pypto-facts 3.2
# W1 is not served by the whole cache
pl.tile.store(tile, [0, 0], win_a)
pl.system.cacheinvalid()
pl.system.fence()

# test: frame=insert_comm_fence
# pypto-facts 3.2
# W1 without its invalidate
pl.tile.store(tile, [0, 0], win_a)
pl.system.fence()

# test: frame=insert_comm_fence
# pypto-facts 3.2
# W1 without its fence
pl.tile.store(tile, [0, 0], win_a)
pl.system.cacheinvalid(win_a, [1, 64], [0, 0])

# test: frame=insert_comm_fence
# pypto-facts 3.2
# W1 with the markers in the wrong order
pl.tile.store(tile, [0, 0], win_a)
pl.system.fence()
pl.system.cacheinvalid(win_a, [1, 64], [0, 0])

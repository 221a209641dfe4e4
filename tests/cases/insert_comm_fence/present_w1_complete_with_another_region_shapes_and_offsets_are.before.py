# test: frame=insert_comm_fence
# pypto-facts 3.2
# W1 complete with another region: shapes and offsets are not compared
pl.tile.store(tile, [0, 0], win_a)
pl.system.cacheinvalid(win_a, [1, 32], [0, 16])
pl.system.fence()

# test: frame=insert_comm_fence
# pypto-facts 3.2
# W1 with markers one statement away
pl.tile.store(tile, [0, 0], win_a)
pl.tile.load(plain, [0, 0], [1, 64], [1, 64])
pl.system.cacheinvalid(win_a, [1, 64], [0, 0])
pl.system.fence()

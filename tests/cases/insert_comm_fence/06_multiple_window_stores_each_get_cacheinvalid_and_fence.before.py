# test: frame=insert_comm_fence
# pypto-facts 3.6
# 06 multiple_window_stores_each_get_cacheinvalid_and_fence
pl.tile.store(tile, [0, 0], win_a)
pl.tile.store(tile, [0, 0], win_a)

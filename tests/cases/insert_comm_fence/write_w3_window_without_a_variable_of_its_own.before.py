# test: frame=insert_comm_fence
# pypto-facts 3.1
# W3 window without a variable of its own
pl.tile.store(tile, [0, 0], pl.tensor.view(win_a, [1, 64]))

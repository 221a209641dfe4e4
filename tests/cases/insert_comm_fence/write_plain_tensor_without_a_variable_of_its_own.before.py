# test: frame=insert_comm_fence
# pypto-facts 3.1
# plain tensor without a variable of its own
pl.tile.store(tile, [0, 0], pl.tensor.view(plain, [1, 64]))

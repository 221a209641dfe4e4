# test: frame=insert_comm_fence
# pypto-facts 3.1
# W1 assigned: the region names the argument, not the result
w: pld.DistributedTensor[[1, 64], pl.FP32] = pl.tile.store(tile, [0, 0], win_a)
pl.tile.store(tile, [0, 0], w)

# test: frame=insert_comm_fence
# pypto-facts 3.2
# W1 through an alias: another variable
alias: pld.DistributedTensor[[1, 64], pl.FP32] = win_a
pl.tile.store(tile, [0, 0], alias)
pl.system.cacheinvalid(win_a, [1, 64], [0, 0])
pl.system.fence()

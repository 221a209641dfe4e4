# test: frame=insert_comm_fence
# pypto-facts 3.2
# W2 complete
pld.tile.remote_store(tile, win_a, peer, [0, 0])
pl.system.fence()

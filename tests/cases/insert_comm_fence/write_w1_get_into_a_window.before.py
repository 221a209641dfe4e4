# test: frame=insert_comm_fence
# pypto-facts 3.1
# W1 get into a window
pld.tile.get(win_a, peer, win_b, tile)

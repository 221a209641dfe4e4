# test: frame=insert_comm_fence
# pypto-facts 3.1
# get into a plain tensor
pld.tile.get(plain, peer, win_b, tile)

# test: frame=insert_comm_fence
# pypto-facts 3.1
# W1 tensor-level get into a window
pld.tensor.get(win_a, peer, win_b)

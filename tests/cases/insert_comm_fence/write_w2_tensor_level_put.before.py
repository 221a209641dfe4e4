# test: frame=insert_comm_fence
# pypto-facts 3.1
# W2 tensor-level put
pld.tensor.put(win_a, peer, plain, atomic=pl.AtomicType.None_)

# test: frame=insert_comm_fence
# pypto-facts 3.1
# a parameter assembled into a window, which is no store and nothing that the predicate knows
pl.tensor.assemble(win_a, plain, [0, 0])

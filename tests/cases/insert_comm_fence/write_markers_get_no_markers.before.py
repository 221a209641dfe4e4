# test: frame=insert_comm_fence
# pypto-facts 3.1
# markers get no markers
pl.system.fence()
pl.system.cacheinvalid()
pl.system.cacheinvalid(win_a, [1, 64], [0, 0])

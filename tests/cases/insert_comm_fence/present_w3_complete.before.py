# test: frame=insert_comm_fence
# pypto-facts 3.2
# W3 complete
self.helper(win_a)
pl.system.cacheinvalid()
pl.system.fence()

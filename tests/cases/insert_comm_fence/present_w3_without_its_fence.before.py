# test: frame=insert_comm_fence
# pypto-facts 3.2
# W3 without its fence
self.helper(win_a)
pl.system.cacheinvalid()

# test: frame=insert_comm_fence
# pypto-facts 3.2
# W3 is not served by a region
self.helper(win_a)
pl.system.cacheinvalid(win_a, [1, 64], [0, 0])
pl.system.fence()

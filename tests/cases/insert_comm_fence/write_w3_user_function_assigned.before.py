# test: frame=insert_comm_fence
# pypto-facts 3.1
# W3 user function, assigned
r = self.helper(win_a)

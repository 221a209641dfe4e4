# test: frame=insert_comm_fence rules=proposed
# user function
self.helper(win_a)

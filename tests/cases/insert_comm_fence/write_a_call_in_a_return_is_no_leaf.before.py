# test: frame=insert_comm_fence
# pypto-facts 3.1
# a call in a return is no leaf
return self.helper(win_a)

# test: frame=insert_comm_fence
# pypto-facts 3.1
# W3 submit
pl.submit(self.helper, win_a)

# test: frame=insert_comm_fence
# pypto-facts 3.1
# W1 takes the dimensions of its own window
pl.tensor.write(counts, [0, 0], n)

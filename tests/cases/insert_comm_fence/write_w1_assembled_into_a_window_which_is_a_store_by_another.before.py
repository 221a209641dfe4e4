# test: frame=insert_comm_fence
# pypto-facts 3.1
# W1 assembled into a window, which is a store by another name
sum: pl.Tensor[[1, 64], pl.FP32] = pl.tensor.add(plain, plain)
pl.tensor.assemble(win_a, sum, [0, 0])

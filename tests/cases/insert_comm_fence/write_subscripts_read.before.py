# test: frame=insert_comm_fence
# pypto-facts 3.1
# subscripts read
x: pld.DistributedTensor[[64], pl.FP32] = win_a[0]
y: pl.Scalar[pl.FP32] = win_a[0, 3]
z: pl.Tensor[[64], pl.FP32] = plain[n]

# test: frame=lower_composite_ops
# data
# allgather
v: pld.DistributedTensor[[4, 8], pl.FP32] = pld.tensor.allgather(row, w, sig)

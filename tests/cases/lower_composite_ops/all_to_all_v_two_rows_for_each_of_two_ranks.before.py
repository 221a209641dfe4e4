# test: frame=lower_composite_ops
# data
# all_to_all_v: two rows for each of two ranks
v: pld.DistributedTensor[[4, 8], pl.FP32] = pld.tensor.all_to_all_v(x, w, sig2, send, got)

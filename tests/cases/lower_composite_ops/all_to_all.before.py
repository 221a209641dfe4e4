# test: frame=lower_composite_ops
# data
# all_to_all
v: pld.DistributedTensor[[4, 8], pl.FP32] = pld.tensor.all_to_all(x, w, sig)

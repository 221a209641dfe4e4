# test: frame=lower_composite_ops
# data
# reduce_scatter
v: pld.DistributedTensor[[4, 8], pl.FP32] = pld.tensor.reduce_scatter(w, sig, op=pld.ReduceOp.Sum)

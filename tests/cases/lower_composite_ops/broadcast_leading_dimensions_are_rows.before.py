# test: frame=lower_composite_ops
# data
# broadcast: leading dimensions are rows
v: pld.DistributedTensor[[2, 3, 8], pl.FP32] = pld.tensor.broadcast(box, sig, root=1)

# test: frame=lower_composite_ops_shapes
# mesh
# a part that is not known to be smaller
pld.tensor.allreduce(open, sig, op=pld.ReduceOp.Sum)

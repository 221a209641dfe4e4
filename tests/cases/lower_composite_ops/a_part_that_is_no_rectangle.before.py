# test: frame=lower_composite_ops_shapes
# mesh
# a part that is no rectangle
pld.tensor.allreduce(gaps, sig, op=pld.ReduceOp.Sum)

# test: frame=lower_composite_ops_shapes
# mesh
# a part of another number of dimensions
pld.tensor.allreduce(odd, sig, op=pld.ReduceOp.Sum)

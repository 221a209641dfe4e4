# test: frame=lower_composite_ops_shapes
# mesh
# a part of 4160 elements, of 4096 that a tile may hold
pld.tensor.allreduce(large, sig, op=pld.ReduceOp.Sum)

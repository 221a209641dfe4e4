# test: frame=lower_composite_ops_shapes
# mesh
# columns
pld.tensor.allreduce(columns, sig, op=pld.ReduceOp.Sum)

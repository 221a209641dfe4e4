# test: frame=lower_composite_ops_shapes
# mesh
# rows with gaps
pld.tensor.allreduce(strided, ring, op=pld.ReduceOp.Sum, mode="ring")

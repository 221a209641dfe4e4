# test: frame=lower_composite_ops_shapes
# ring
# a part that is no prefix
pld.tensor.allreduce(cut, ring, op=pld.ReduceOp.Sum, mode="ring")

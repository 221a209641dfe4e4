# test: frame=lower_composite_ops_shapes
# mesh
# a part: one rectangle of 16 x 5
pld.tensor.allreduce(cut, sig, op=pld.ReduceOp.Max)

# test: frame=lower_composite_ops_shapes
# ring
# FP16: segments begin at multiples of 16 elements
pld.tensor.allreduce(few, ring, op=pld.ReduceOp.Max, mode="ring")

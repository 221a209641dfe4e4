# test: frame=lower_composite_ops_shapes
# mesh
# FP16 in two chunks: a peer's load is rounded up to 32 bytes, then cut
pld.tensor.allreduce(half, sig, op=pld.ReduceOp.Sum)

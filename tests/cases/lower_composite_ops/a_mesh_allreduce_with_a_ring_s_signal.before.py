# test: frame=lower_composite_ops
# what is refused
# a mesh allreduce with a ring's signal
pld.tensor.allreduce(w, wide, op=pld.ReduceOp.Sum)

# test: frame=lower_composite_ops
# what is refused
# a ring allreduce with a flat signal
pld.tensor.allreduce(w, flat, op=pld.ReduceOp.Sum, mode="ring")

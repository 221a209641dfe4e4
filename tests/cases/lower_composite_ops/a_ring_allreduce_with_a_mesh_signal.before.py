# test: frame=lower_composite_ops
# what is refused
# a ring allreduce with a mesh signal
pld.tensor.allreduce(w, sig2, op=pld.ReduceOp.Sum, mode="ring")

# test: frame=lower_composite_ops
# what is refused
# a mode
pld.tensor.allreduce(w, sig, op=pld.ReduceOp.Sum, mode="tree")

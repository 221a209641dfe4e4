# test: frame=lower_composite_ops
# the forms of a call
# assigned to the operand itself: no other name
sig = pld.tensor.barrier(sig)

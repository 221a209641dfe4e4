# test: frame=lower_composite_ops
# the forms of a call
# what a return returns
return n, pld.tensor.barrier(sig)

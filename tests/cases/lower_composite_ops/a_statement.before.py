# test: frame=lower_composite_ops
# the forms of a call
# a statement
pld.tensor.barrier(sig)

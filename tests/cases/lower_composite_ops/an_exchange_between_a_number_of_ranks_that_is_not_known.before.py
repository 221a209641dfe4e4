# test: frame=lower_composite_ops
# what is refused
# an exchange between a number of ranks that is not known
pld.tensor.all_to_all_v(x, w, sig, send, got)

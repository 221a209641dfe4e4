# test: frame=lower_composite_ops
# what is refused
# an exchange from a window
pld.tensor.all_to_all(named, w, sig)

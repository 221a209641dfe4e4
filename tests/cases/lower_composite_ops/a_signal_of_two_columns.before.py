# test: frame=lower_composite_ops
# what is refused
# a signal of two columns
pld.tensor.broadcast(w, wide, root=0)

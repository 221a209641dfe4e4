# test: frame=lower_composite_ops
# what is refused
# a broadcast of a size that is not known
pld.tensor.broadcast(rows, sig, root=0)

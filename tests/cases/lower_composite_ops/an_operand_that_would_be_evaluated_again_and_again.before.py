# test: frame=lower_composite_ops
# what is refused
# an operand that would be evaluated again and again
pld.tensor.broadcast(pl.tensor.reshape(w, [4, 8]), sig, root=0)

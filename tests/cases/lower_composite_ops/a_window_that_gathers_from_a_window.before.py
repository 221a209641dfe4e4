# test: frame=lower_composite_ops
# what is refused
# a window that gathers from a window
pld.tensor.allgather(piece, w, sig)

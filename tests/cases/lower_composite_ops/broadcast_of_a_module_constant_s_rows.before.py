# test: frame=lower_composite_ops
# data
# broadcast of a module constant's rows: the number stands for it
pld.tensor.broadcast(named, sig, root=0)

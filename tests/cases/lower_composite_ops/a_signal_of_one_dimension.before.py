# test: frame=lower_composite_ops
# what is refused
# a signal of one dimension
pld.tensor.barrier(flat)

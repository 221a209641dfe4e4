# test: frame=lower_composite_ops
# what is refused
# an operand of which nothing is known
s = pl.tile.mystery(sig)
pld.tensor.barrier(s)

# test: frame=lower_composite_ops
# what is refused
# no place for statements
v = pl.tile.load(pld.tensor.barrier(sig), [0, 0], [1, 1])

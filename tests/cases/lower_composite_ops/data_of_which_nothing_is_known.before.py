# test: frame=lower_composite_ops
# what is refused
# data of which nothing is known
v = pl.tile.mystery(w)
pld.tensor.all_to_all(v, w, sig)

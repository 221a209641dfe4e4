# test: frame=lower_composite_ops
# sine and cosine
# a value of a return gets a name of its own
t = pl.load(x, [0, 0], [4, 8])
return n, pl.tile.cos(t)

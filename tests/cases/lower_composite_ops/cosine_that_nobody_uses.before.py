# test: frame=lower_composite_ops
# sine and cosine
# a statement: the steps, but for the last one
t = pl.load(x, [0, 0], [4, 8])
if n > 2:
    pl.tile.cos(t)

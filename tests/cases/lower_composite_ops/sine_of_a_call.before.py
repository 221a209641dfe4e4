# test: frame=lower_composite_ops
# sine and cosine
# the steps would repeat the operand
t = pl.load(x, [0, 0], [4, 8])
y = pl.tile.sin(pl.tile.exp(t))

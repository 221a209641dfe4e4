# test: frame=lower_composite_ops
# sine and cosine
# a tile's sine
t = pl.load(x, [0, 0], [4, 8])
y__ssa_v1 = pl.tile.sin(t)
u = pl.store(y__ssa_v1, [0, 0], w)

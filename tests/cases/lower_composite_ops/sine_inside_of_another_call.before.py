# test: frame=lower_composite_ops
# sine and cosine
# what stands inside of another call stays: FlattenCallExpr takes it out first
t = pl.load(x, [0, 0], [4, 8])
u = pl.store(pl.tile.sin(t), [0, 0], w)

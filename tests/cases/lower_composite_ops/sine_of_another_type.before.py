# test: frame=lower_composite_ops
# sine and cosine
# sine and cosine are of FP32 only
t = pl.load(x, [0, 0], [4, 8])
h = pl.tile.cast(t, target_type=pl.FP16)
y = pl.tile.cos(h)

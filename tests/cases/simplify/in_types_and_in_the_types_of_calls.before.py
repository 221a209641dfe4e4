# test: frame=simplify
# scalars that are assigned once, to a constant
# in types, and in the types of calls
c: pl.Scalar[pl.INDEX] = 4
t: pl.Tensor[[c, 8], pl.FP32] = pl.tensor.create([c, 8], dtype=pl.FP32)
u: pl.Tile[[1, 16], pl.FP32, pl.TileView(valid_shape=[1, c * 2])] = pl.tile.load(x, [0, 0], [1, 16], [1, c * 2])
pl.test.use(t, u)

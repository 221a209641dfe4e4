# test: frame=kernel
# n is 3 on rank 0, whose trace this is
# the type comes first
t: pl.Tile[[1, 16], pl.INT32, pl.Mem.Vec, pl.TileView(valid_shape=[1, 7])] = pl.load(x, [0, 0], [1, 16], [1, 9])
pl.store(t, [0, 0], out)

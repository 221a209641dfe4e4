# test: frame=kernel
# n is 3 on rank 0, whose trace this is
# the type of what is filled comes first
t: pl.Tile[[1, 16], pl.INT32, pl.Mem.Vec, pl.TileView(valid_shape=[1, 4])] = pl.load(x, [0, 0], [1, 16])
u = pl.fillpad(t)

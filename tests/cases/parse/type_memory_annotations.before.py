# test: frame=bare_kernel
# memory annotations
t: pl.Tile[[1, 64], pl.FP32, pl.MemRef("m", pl.const(0, pl.INT64), 256), pl.Mem.Vec, pl.TileView(valid_shape=[n, 4], pad=pl.PadValue.min)] = pl.tile.load(x, [0, 0], [1, 64], [1, 64])

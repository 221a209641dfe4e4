t: pl.Tile[[16, 16], pl.FP16, pl.MemRef("mem_vec_0", pl.const(0, pl.INT64), 512), pl.Mem.Vec, pl.TileView(valid_shape=[n, 16])] = pl.tile.load(a, [0, 0], [16, 16], [n, 16])

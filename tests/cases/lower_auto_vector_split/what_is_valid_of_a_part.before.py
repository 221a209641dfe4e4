# test: frame=split
# of n valid rows the first lane has those below 8, the second the rest
        for lane in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
            t: pl.Tile[[16, 16], pl.FP32, pl.Mem.Vec, pl.TileView(valid_shape=[n, 16])] = pl.load(x, [0, 0], [16, 16], [n, 16])
            o = pl.store(t, [0, 0], o)

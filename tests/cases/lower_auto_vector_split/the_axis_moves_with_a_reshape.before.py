# test: frame=split
# the first half of [16, 4] is the first half of the columns of [1, 64]
        for lane in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
            t = pl.load(x, [0, 0], [16, 4])
            u: pl.Tile[[1, 64], pl.FP32] = pl.tile.reshape(t, [1, 64])
            v = pl.tile.muls(u, 2.0)

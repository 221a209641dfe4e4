# test: frame=split
# a row of the second half would count from 0 again
        for lane in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
            t = pl.tile.ci(0, [8, 16], dtype=pl.INT32)

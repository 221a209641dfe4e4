# test: frame=split
# the halves would lie on the other axis
        for lane in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
            t = pl.load(x, [0, 0], [16, 16])
            u = pl.tile.transpose(t, 0, 1)

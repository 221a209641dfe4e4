# test: frame=split
# an extent of 1 is not halved, and what is made of it neither
        for lane in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
            t = pl.load(x, [0, 0], [1, 16])
            u = pl.tile.muls(t, 2.0)
            o = pl.store(u, [lane, 0], o)

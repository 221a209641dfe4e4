# test: frame=split
# LEFT_RIGHT halves dimension 1
        for lane in pl.split_aiv(2, mode=pl.SplitMode.LEFT_RIGHT):
            t = pl.load(x, [0, 0], [8, 16])
            u = pl.tile.muls(t, 2.0)
            pl.store(u, [4, 0], o)

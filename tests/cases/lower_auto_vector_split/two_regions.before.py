# test: frame=split
# each has an index of its own
        for lane in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
            t = pl.load(x, [0, 0], [8, 16])
            o = pl.store(t, [0, 0], o)
        for core in pl.split_aiv(2, mode=pl.SplitMode.LEFT_RIGHT):
            u = pl.load(x, [8, 0], [8, 16])
            o = pl.store(u, [8, 0], o)

# test: frame=split
# the first lane has three rows of five, the second two: halves are rounded up, what is valid of them is not
        for lane in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
            t = pl.load(x, [0, 0], [5, 16])
            o = pl.store(t, [0, 0], o)

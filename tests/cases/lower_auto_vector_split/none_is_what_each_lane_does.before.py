# test: frame=split
# with NONE the body is as written, on each lane (pypto-front-facts 2.11)
        for lane in pl.split_aiv(2, mode=pl.SplitMode.NONE):
            t = pl.load(x, [lane * 8, 0], [8, 16])
            o = pl.store(t, [lane * 8, 0], o)

# test: frame=split
# [8, 16] tiles become [4, 16], at lane * 8 + subblock_idx * 4: the text's offset and that of the halving add up
# (pypto-front-facts 2.11)
        for lane in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
            t = pl.load(x, [lane * 8, 0], [8, 16])
            u = pl.add(t, t)
            o = pl.store(u, [lane * 8, 0], o)

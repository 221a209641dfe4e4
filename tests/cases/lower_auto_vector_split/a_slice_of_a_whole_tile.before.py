# test: frame=split
# what is outside of the region is whole: a slice of it is the lane's part
        t = pl.load(x, [0, 0], [16, 16])
        for lane in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
            u = pl.tile.slice(t, [8, 16], [4, 0])
            o = pl.store(u, [0, 0], o)

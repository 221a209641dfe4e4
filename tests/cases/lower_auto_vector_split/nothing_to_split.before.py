# test: frame=split
# no region, no split
        t = pl.load(x, [0, 0], [8, 16])
        o = pl.store(t, [0, 0], o)

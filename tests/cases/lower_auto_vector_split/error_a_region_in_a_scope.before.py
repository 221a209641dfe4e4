# test: frame=split unverified=scope-auto
# no pass takes the scope out of an InCore function
        with pl.scope():
            for lane in pl.split_aiv(2, mode=pl.SplitMode.NONE):
                t = pl.load(x, [0, 0], [8, 16])

for j in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
    pass

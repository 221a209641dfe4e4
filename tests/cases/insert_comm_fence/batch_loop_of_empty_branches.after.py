for src in pl.range(8):
    if src != pl.cast(me, pl.INDEX):
        pass

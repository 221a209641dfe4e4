for src in pl.range(8):
    if src != me:
        pass

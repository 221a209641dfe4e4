for j in pl.range(1, i):
    pass

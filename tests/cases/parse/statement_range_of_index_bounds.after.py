for j in pl.range(i):
    pass

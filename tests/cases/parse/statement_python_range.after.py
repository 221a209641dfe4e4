for j in pl.range(2):
    pass

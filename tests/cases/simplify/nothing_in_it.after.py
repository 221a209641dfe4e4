for j in pl.range(0, 1024, 512):
    pass

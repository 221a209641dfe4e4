for k in pl.range(i):
    break

for j in pl.range(i, attrs={"grouped": True}):
    pass

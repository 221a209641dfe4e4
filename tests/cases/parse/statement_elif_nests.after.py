if b:
    pass
else:
    if i < 1:
        return
    else:
        return

if b:
    return

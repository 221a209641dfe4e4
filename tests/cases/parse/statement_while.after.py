while i < 2:
    break

if b:
    pass
else:
    pass

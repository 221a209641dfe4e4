# test: frame=bare_kernel
# elif nests
if b:
    pass
elif i < 1:
    return
else:
    return

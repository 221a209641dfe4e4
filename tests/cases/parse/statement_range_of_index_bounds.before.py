# test: frame=bare_kernel
# range of index bounds
for j in pl.range(0, i, 1):
    pass

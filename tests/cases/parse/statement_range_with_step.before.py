# test: frame=bare_kernel
# range with step
for j in pl.range(0, i, 2):
    pass

# test: frame=bare_kernel
# range with start
for j in pl.range(1, i):
    pass

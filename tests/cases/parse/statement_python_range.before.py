# test: frame=bare_kernel
# python range
for j in range(2):
    pass

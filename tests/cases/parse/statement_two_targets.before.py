# test: frame=bare_kernel
# two targets
y, z = (i, n)
w = z

# test: frame=bare_kernel
# a literal without a point is an integer
y = f > 1

# test: frame=bare_kernel
# a float decides over an integer
y = n + 1.5
z = 2 * y

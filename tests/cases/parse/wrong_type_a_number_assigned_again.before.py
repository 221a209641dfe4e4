# test: frame=bare_kernel
# the sum is an INDEX
y = n
y = y + 1

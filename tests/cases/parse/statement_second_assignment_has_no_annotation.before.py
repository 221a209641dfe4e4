# test: frame=bare_kernel
# second assignment has no annotation
y = i
y = y + 1

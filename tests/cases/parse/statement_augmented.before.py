# test: frame=bare_kernel
# augmented
y = i
y += 2

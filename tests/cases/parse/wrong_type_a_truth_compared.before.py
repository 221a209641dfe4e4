# test: frame=bare_kernel
# nor is it compared with another
y = (i < 1) == b

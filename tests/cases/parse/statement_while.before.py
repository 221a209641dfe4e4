# test: frame=bare_kernel
# while
while i < 2:
    break

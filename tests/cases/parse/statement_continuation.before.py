# test: frame=bare_kernel
# continuation
y = i + \
    1
z = (i +
  # why
  2)
